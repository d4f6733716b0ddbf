// @ts-check
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { copyProject } from './copied-project.fixture.mjs';
import { freePort } from './ports.mjs';
import { answers, createDatabase, identityHere, initialisePostgres, postgresService } from './postgres.mjs';
import { postgresUrl, serverVersion } from './postgres.mjs';
import { inspect, isAlive, within } from './processes.mjs';
import { readJson, root } from './settings.mjs';
import { Supervisor } from './supervisor.mjs';

const isRoot = process.getuid?.() === 0;
const directory = mkdtempSync(join(tmpdir(), 'outcomes-postgres-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** @typedef {import('./postgres.mjs').Identity} Identity */

/** @param {Identity} identity */
async function stage(identity, parent = directory) {
  const home = join(parent, identity);
  // As closed as root's own home: whoever Postgres runs as has to get through.
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const options = {
    ...{ directory: join(home, 'data'), port: await freePort(), password: 'p:w/?#', durable: false },
    identity,
  };
  const processes = join(home, 'processes.json');
  const supervisor = new Supervisor({ logs: home, processes, restart: true, patience: 20_000 });
  return { options, supervisor, processes, home };
}

/** @type {Identity[]} */
const identities = isRoot ? ['namespace', 'nobody'] : [identityHere()];

for (const identity of identities) {
  describe(`Postgres as ${identity}`, () => {
    it('starts, answers only with its password, and ends', async () => {
      const { options, supervisor } = await stage(identity);
      await initialisePostgres(options);
      await initialisePostgres(options);
      assert.equal(existsSync(`${options.directory}.password`), false);
      try {
        await supervisor.start(postgresService(options));
        const url = postgresUrl(options);
        assert.match(await serverVersion(url), /^18\./);
        await createDatabase(url, 'outcomes');
        await createDatabase(url, 'outcomes');
        assert.equal(await answers(postgresUrl(options, 'outcomes')), true);
        assert.equal(await answers(postgresUrl({ ...options, password: 'wrong' })), false);
      } finally {
        await supervisor.stop();
      }
      assert.equal(await answers(postgresUrl(options)), false);
      assert.equal(existsSync(join(options.directory, 'postmaster.pid')), false);
    });

    it('comes back after kill -9, with its data', async () => {
      const { options, supervisor } = await stage(identity);
      try {
        await supervisor.start(postgresService(options));
        const first = inspect(supervisor.pid('postgres') ?? 0);
        assert.ok(first);
        process.kill(first.pid, 'SIGKILL');
        assert.ok(await within(2_000, () => !isAlive(first)));
        assert.ok(await within(10_000, () => answers(postgresUrl(options, 'outcomes'))));
      } finally {
        await supervisor.stop();
      }
    });

    it('starts beside a postmaster.pid that names a living stranger', async () => {
      const { options, supervisor } = await stage(identity);
      const file = join(options.directory, 'postmaster.pid');
      // The parent: alive, and of the same user.
      writeFileSync(file, `${process.ppid}\n${options.directory}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`);
      try {
        await supervisor.start(postgresService(options));
        assert.equal(await answers(postgresUrl(options)), true);
        assert.equal(Number(readFileSync(file, 'utf8').split('\n')[0]), supervisor.pid('postgres'));
      } finally {
        await supervisor.stop();
      }
      assert.equal(isAlive({ pid: process.ppid, startTime: inspect(process.ppid)?.startTime ?? '' }), true);
    });

    it('is no orphan when its parent is killed with -9', async () => {
      const { options, processes, home } = await stage(identity);
      const here = (/** @type {string} */ file) => JSON.stringify(join(import.meta.dirname, file));
      const source = `
        import { Supervisor } from ${here('supervisor.mjs')};
        import { postgresService } from ${here('postgres.mjs')};
        const supervisor = new Supervisor(${JSON.stringify({ logs: home, processes })});
        await supervisor.start(postgresService(${JSON.stringify(options)}));
        console.log('up');
        setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')]);
      const children = readJson(processes);
      assert.equal(children.length, 1);
      assert.ok(children.every(isAlive));
      parent.kill('SIGKILL');
      assert.ok(await within(10_000, () => !children.some(isAlive)), 'it ended by itself');
      assert.equal(existsSync(join(options.directory, 'postmaster.pid')), false, 'in good order');
    });

    it('ends at once where it must, and gives its shared memory back', async () => {
      const { options, supervisor } = await stage(identity);
      await supervisor.start(postgresService(options));
      const facts = inspect(supervisor.pid('postgres') ?? 0);
      assert.ok(facts);
      const used =
        readFileSync(`/proc/${facts.pid}/maps`, 'utf8').match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? [];
      assert.ok(used.length > 0);
      supervisor.kill();
      assert.ok(await within(5_000, () => !isAlive(facts)));
      assert.deepEqual(used.filter(existsSync), []);
    });

    it('refuses the data of another version with the way out', async () => {
      const { options } = await stage(identity);
      writeFileSync(join(options.directory, 'PG_VERSION'), '17\n');
      await assert.rejects(
        initialisePostgres(options),
        /created by Postgres 17, this is 18: "npm start -- --fresh"/,
      );
    });
  });
}

if (isRoot) {
  describe('Postgres in a project that is closed to others', () => {
    const closed = join(directory, 'closed');
    before(async () => {
      mkdirSync(closed, { mode: 0o700 });
      await copyProject(closed);
    });

    for (const identity of identities) {
      it(`starts and answers as ${identity}`, async () => {
        const { options, processes, home } = await stage(identity, closed);
        const there = (/** @type {string} */ file) => JSON.stringify(join(closed, 'tools/local', file));
        const source = `
          import { Supervisor } from ${there('supervisor.mjs')};
          import { answers, initialisePostgres, postgresService, postgresUrl } from ${there('postgres.mjs')};
          const options = ${JSON.stringify(options)};
          await initialisePostgres(options);
          const supervisor = new Supervisor(${JSON.stringify({ logs: home, processes })});
          await supervisor.start(postgresService(options));
          console.log(await answers(postgresUrl(options)));
          await supervisor.stop();`;
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          ['--input-type=module', '-e', source],
          {
            ...{ encoding: 'utf8', timeout: 60_000 },
          },
        );
        assert.equal(status, 0, stderr);
        assert.equal(stdout, 'true\n');
      });
    }
  });

  describe('Postgres for an ordinary user', () => {
    const open = join(directory, 'open');
    before(async () => {
      chmodSync(directory, 0o755);
      mkdirSync(open, { mode: 0o755 });
      await copyProject(open);
    });
    // The project's Node lies where only root may be able to go.
    const node = process.execPath.replace(root, open);
    const cases = [
      { title: 'passes the same tests', id: '65534', only: [], passing: 6 },
      {
        title: 'starts for one without a name',
        id: '54321',
        only: ['--test-name-pattern=starts, answers'],
        passing: 1,
      },
    ];
    for (const { title, id, only, passing } of cases) {
      it(title, () => {
        const home = join(directory, id);
        mkdirSync(home);
        chmodSync(home, 0o777);
        const user = ['setpriv', '--reuid', id, '--regid', id, '--clear-groups'];
        const command = [...user, node, '--test', ...only, import.meta.filename.replace(root, open)];
        const { status, stdout } = spawnSync(command[0] ?? '', command.slice(1), {
          ...{ cwd: home, encoding: 'utf8', timeout: 60_000 },
          env: { ...process.env, NODE_TEST_CONTEXT: undefined, TMPDIR: home, HOME: home },
        });
        assert.equal(status, 0, stdout);
        assert.match(stdout, new RegExp(`pass ${passing}\\b`));
      });
    }
  });
}
