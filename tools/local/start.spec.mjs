// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { fakeProject } from './fake-project.fixture.mjs';
import { allPids, commandLine, inspect, isAlive, send, within } from './processes.mjs';
import { readJson } from './settings.mjs';

const isRoot = process.getuid?.() === 0;
const project = await fakeProject({ open: true });
const local = join(project.folder, '.local');
after(project.remove);

/** @type {Set<number>} */
const groups = new Set();
afterEach(async () => {
  for (const group of groups) {
    send(-group, 'SIGTERM');
    await within(15_000, () => running().length === 0);
    send(-group, 'SIGKILL');
  }
  groups.clear();
});

/** Everything that runs in, or out of, the project. */
function running() {
  return allPids()
    .map(inspect)
    .filter((facts) => facts !== undefined)
    .filter(({ pid }) => {
      if (commandLine(pid).some((word) => word.includes(project.folder))) return true;
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(project.folder);
      } catch {
        return false;
      }
    });
}

/**
 * @param {string[]} [args]
 * @param {{ as?: string[], env?: NodeJS.ProcessEnv }} [options]
 */
function npmStart(args = [], { as = [], env = {} } = {}) {
  const not = { NODE_TEST_CONTEXT: undefined, DATABASE_URL: undefined, REDIS_URL: undefined };
  const [file = '', ...rest] = [...as, 'npm', 'start', '--silent', '--', ...args];
  const child = spawn(file, rest, {
    cwd: project.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...not, HOME: project.folder, ...project.ports, ...env },
  });
  const pid = child.pid ?? 0;
  groups.add(pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  /** @type {number | null | undefined} */
  let code;
  child.once('close', (ended) => (code = ended));
  const said = (/** @type {RegExp} */ text) => within(30_000, () => code !== undefined || text.test(output));
  return {
    pid,
    output: () => output,
    up: async () => {
      await said(/Everything is running/);
      assert.match(output, /Everything is running/);
    },
    ended: async () => {
      await within(30_000, () => code !== undefined);
      return code;
    },
  };
}

/** @param {string} name @returns {number} The process of a service. */
function service(name) {
  const found = readJson(join(local, 'processes.json')).filter(isAlive);
  const words = { postgres: 'bin/postgres', redis: 'redis-server' }[name] ?? `${name}/bundle/main.js`;
  const pid = found.map((/** @type {{ pid: number }} */ facts) => facts.pid).find(runs(words));
  assert.ok(pid, `${name} runs`);
  return pid;
}

/** @param {string} words @returns {(pid: number) => boolean} */
function runs(words) {
  return (pid) => commandLine(pid).some((word) => word.includes(words));
}

const nothingLeft = () => within(10_000, () => running().length === 0);

/** @param {string} url @param {string[]} statements */
async function onDatabase(url, statements) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe('npm start', () => {
  it('brings everything up, restarts what dies, and leaves nothing behind', async () => {
    const start = npmStart();
    await start.up();
    assert.match(start.output(), /ingesting/);
    const environment = readJson(join(local, 'environment.json'));
    assert.equal(environment.readApiUrl, `http://127.0.0.1:${project.ports['READ_API_PORT']}/v1`);
    assert.equal(statSync(join(local, 'environment.json')).mode & 0o777, 0o600);
    assert.equal(statSync(local).mode & 0o777, 0o700);

    const second = npmStart();
    assert.equal(await second.ended(), 1);
    assert.match(second.output(), /^npm start is already running in this folder[^\n]*\n$/);

    for (const name of ['ingest-api', 'postgres', 'redis']) {
      const before = service(name);
      send(before, 'SIGKILL');
      assert.ok(await within(15_000, () => start.output().includes(`${name} is ready again`)), name);
      assert.notEqual(service(name), before);
    }

    // To the whole group, as a terminal does.
    send(-start.pid, 'SIGINT');
    assert.notEqual(await start.ended(), undefined);
    assert.match(start.output(), /Stopped\./);
    assert.ok(await nothingLeft());
  });

  it('finds its data again, and is up in less than 15 seconds', async () => {
    const began = Date.now();
    const start = npmStart();
    await start.up();
    assert.ok(Date.now() - began < 15_000);
    assert.match(start.output(), /nothing to ingest/);
    const commands = readFileSync(join(local, 'commands'), 'utf8');
    assert.equal(commands.match(/service-logins/g)?.length, 1, 'working logins are kept');

    // Not even kill -9 of npm itself leaves anything running.
    send(start.pid, 'SIGKILL');
    assert.ok(
      await within(15_000, () => running().length === 0),
      running()
        .map(({ pid }) => commandLine(pid))
        .join('\n'),
    );
  });

  it('takes everything with it when its own process is killed with -9, and starts again', async () => {
    const start = npmStart();
    await start.up();
    const supervisors = running().filter(({ pid }) =>
      commandLine(pid).some((word) => word.endsWith('tools/start.mjs')),
    );
    assert.ok(supervisors.length > 0);
    for (const { pid } of supervisors) send(pid, 'SIGKILL');
    assert.ok(await nothingLeft());
    const again = npmStart();
    await again.up();
    send(again.pid, 'SIGTERM');
    await again.ended();
    assert.ok(await nothingLeft());
  });

  it('removes with --fresh what it made, and only that', async () => {
    writeFileSync(join(local, 'mine'), 'kept');
    const outside = join(project.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), 'kept');
    symlinkSync(outside, join(local, 'redis', 'link'));
    const start = npmStart(['--fresh']);
    await start.up();
    assert.match(start.output(), /ingesting/);
    assert.equal(readFileSync(join(local, 'mine'), 'utf8'), 'kept');
    assert.deepEqual(readdirSync(outside), ['precious']);
    assert.equal(existsSync(join(local, 'redis', 'link')), false);
  });

  it(
    'leaves the logins of an installation alone that works with DATABASE_URL',
    { timeout: 120_000 },
    async () => {
      const start = npmStart();
      await start.up();
      const { ownerDatabaseUrl: owner } = readJson(join(local, 'environment.json'));
      const login = Object.assign(new URL(owner), { username: 'outcomes_read_api', password: 'in use' });
      await onDatabase(owner, [
        `CREATE ROLE outcomes_read_api LOGIN PASSWORD 'in use'`,
        `COMMENT ON ROLE outcomes_read_api IS 'Login of the database outcomes'`,
      ]);
      const { folder, ports, remove } = await fakeProject();
      const elsewhere = (/** @type {string[]} */ args = []) =>
        npmStart(args, { as: ['env', '-C', folder], env: { ...ports, HOME: folder, DATABASE_URL: owner } });
      const done = () => readFileSync(join(folder, '.local/commands'), 'utf8').trim().split('\n');
      try {
        const refused = elsewhere();
        assert.equal(await refused.ended(), 1);
        assert.match(refused.output(), /Using the database of DATABASE_URL: 127\.0\.0\.1:\d+\/outcomes\n/);
        assert.match(
          refused.output(),
          /new passwords.*: outcomes_read_api\.\nUnset DATABASE_URL.*\nnpm start -- --reset-logins\.\n$/,
        );
        assert.equal(refused.output().includes(new URL(owner).password), false);
        assert.equal(existsSync(join(folder, '.local/commands')), false, 'nothing was migrated');

        const asked = elsewhere(['--reset-logins']);
        await asked.up();
        assert.deepEqual(done(), ['migrate', 'service-logins', 'quickstart']);
        send(asked.pid, 'SIGTERM');
        await asked.ended();

        // Those that an earlier start here noted and that still work are its own.
        const noted = join(folder, '.local/environment.json');
        const environment = readJson(noted);
        environment.logins.readApi = login.href;
        writeFileSync(noted, JSON.stringify(environment));
        const again = elsewhere();
        await again.up();
        assert.deepEqual(done().slice(3), ['migrate', 'quickstart']);
        send(again.pid, 'SIGTERM');
        await again.ended();
      } finally {
        remove();
      }
    },
  );

  it('names each port that is taken, and starts nothing', async () => {
    const ports = [project.ports['MCP_PORT'], project.ports['REDIS_PORT']].map(Number);
    const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
    try {
      const start = npmStart();
      assert.equal(await start.ended(), 1);
      assert.equal(start.output().trim().split('\n').length, 2);
      assert.match(start.output(), new RegExp(`Port ${ports[0]} is taken.*MCP_PORT=`));
      assert.match(start.output(), new RegExp(`Port ${ports[1]} is taken.*REDIS_PORT=`));
      assert.ok(await nothingLeft());
    } finally {
      for (const server of servers) server.close();
    }
  });

  it('says what it does not understand, and helps', async () => {
    const wrong = npmStart(['--frsh']);
    assert.equal(await wrong.ended(), 1);
    assert.match(wrong.output(), /Unknown option '--frsh'[^]*Usage: npm start/);
    const help = npmStart(['--help']);
    assert.equal(await help.ended(), 0);
    assert.match(help.output(), /^Usage: npm start[^]*BIND_ADDRESS/);
  });

  it('tells the way to a Redis where there is none', async () => {
    // A PATH with Node, npm and nothing else. An ordinary user cannot install packages.
    const tools = join(project.folder, 'path');
    mkdirSync(tools);
    for (const name of ['sh', 'npm', 'node', 'env', 'setpriv', 'flock', 'unshare']) {
      const file = ['/bin', '/usr/bin', '/usr/local/bin'].map((bin) => join(bin, name)).find(existsSync);
      if (file) symlinkSync(file, join(tools, name));
    }
    const start = npmStart([], { env: { PATH: tools } });
    assert.equal(await start.ended(), 1);
    assert.match(start.output(), /Redis 6\.2 or newer is needed: install it/);
    assert.ok(await nothingLeft());
  });

  it('does all this for an ordinary user as well', { timeout: 60_000 }, async () => {
    const other = isRoot ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : [];
    const { folder, ports, remove } = await fakeProject({ open: true, copied: isRoot });
    try {
      const start = npmStart([], { as: ['env', '-C', folder, ...other], env: { ...ports, HOME: folder } });
      await start.up();
      send(start.pid, 'SIGTERM');
      await start.ended();
      assert.ok(await within(5_000, () => readJson(join(folder, '.local/processes.json'))?.length === 0));
    } finally {
      remove();
    }
  });
});
