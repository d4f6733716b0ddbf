// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { isFree } from './ports.mjs';
import { inspect, isAlive, within } from './processes.mjs';
import { readJson } from './settings.mjs';
import { Supervisor } from './supervisor.mjs';

const root = mkdtempSync(join(tmpdir(), 'outcomes-supervisor-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Says what it does in a file, and does what it is told by its argument. */
const fake = `
  const { appendFileSync } = require('node:fs');
  const [name, manner, file] = process.argv.slice(1);
  const say = (what) => appendFileSync(file, name + ' ' + what + '\\n');
  console.log('a line of', name);
  if (manner === 'broken') { console.error('cannot find my settings'); process.exit(3); }
  process.on('SIGTERM', () => { if (manner !== 'deaf') { say('ended'); process.exit(0); } });
  say('began');
  setInterval(() => {}, 1000);`;

/** @type {(() => Promise<void>)[]} */
const cleanUps = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** @param {Partial<import('./supervisor.mjs').SupervisorOptions>} [options] */
function stage(options) {
  const directory = mkdtempSync(join(root, 'stage-'));
  const diary = join(directory, 'diary');
  writeFileSync(diary, '');
  const said = () => readFileSync(diary, 'utf8').trim().split('\n');
  /** @type {import('./supervisor.mjs').SupervisorEvent[]} */
  const events = [];
  const processes = join(directory, 'processes.json');
  const supervisor = new Supervisor({
    ...{ logs: directory, processes, patience: 10_000 },
    onEvent: (event) => events.push(event),
    ...options,
  });
  /** @returns {import('./supervisor.mjs').Service} */
  const service = (name = 'one', manner = 'good') => ({
    name,
    command: [process.execPath, '-e', fake, name, manner, diary],
    ready: async () => said().includes(`${name} began`),
  });
  cleanUps.push(() => supervisor.stop());
  return { directory, processes, supervisor, service, said, events };
}

describe('the supervisor', () => {
  it('starts again what is killed, and says so', async () => {
    const { supervisor, service, said, events } = stage();
    await supervisor.start(service());
    const first = supervisor.pid('one');
    assert.ok(first);
    process.kill(first, 'SIGKILL');
    const isBack = () => events.some(({ kind }) => kind === 'ready again') && said().length === 2;
    assert.ok(await within(5_000, isBack), 'it comes back');
    assert.notEqual(supervisor.pid('one'), first);
    assert.deepEqual(events[0], { name: 'one', kind: 'ended', detail: 'killed by SIGKILL' });
  });

  it('stops in the reverse order, and kills what does not listen', async () => {
    const { supervisor, service, said } = stage({ grace: 300 });
    await supervisor.start(service('database'));
    await supervisor.start(service('deaf', 'deaf'), service('app'));
    const deaf = inspect(supervisor.pid('deaf') ?? 0);
    assert.ok(deaf);
    await supervisor.stop();
    assert.equal(isAlive(deaf), false);
    assert.deepEqual(said().slice(-2), ['app ended', 'database ended']);
  });

  it('gives up on what never starts, with the end of its log', async () => {
    const { supervisor, service } = stage();
    await assert.rejects(
      supervisor.start(service('one', 'broken')),
      /one does not start.*\n[^]*cannot find my settings/,
    );
  });

  it('waits longer before each further attempt', async () => {
    const times = /** @type {number[]} */ ([]);
    const { supervisor, service } = stage({ onEvent: () => times.push(Date.now()) });
    await assert.rejects(supervisor.start(service('one', 'broken')));
    assert.equal(times.length, 3);
    const [first = 0, second = 0, third = 0] = times;
    assert.ok(second - first >= 250, `${second - first} ms`);
    assert.ok(third - second >= 500, `${third - second} ms`);
  });

  it('moves a log aside that has grown too long', async () => {
    const { directory, supervisor, service } = stage();
    writeFileSync(join(directory, 'one.log'), Buffer.alloc(10 * 1024 * 1024, 'x'));
    await supervisor.start(service());
    assert.equal(statSync(join(directory, 'one.log.1')).size, 10 * 1024 * 1024);
    assert.match(readFileSync(join(directory, 'one.log'), 'utf8'), /^a line of one/);
  });

  it('takes everything with it when it is killed with -9', async () => {
    const { directory, processes } = stage();
    const source = `
      import { Supervisor } from ${JSON.stringify(join(import.meta.dirname, 'supervisor.mjs'))};
      const supervisor = new Supervisor({ logs: ${JSON.stringify(directory)}, processes: ${JSON.stringify(processes)} });
      const service = (name) => ({
        name, command: ['sleep', '600'], ready: async () => true, deathSignal: 'KILL',
      });
      await supervisor.start(service('one'), service('two'));
      console.log('up');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const children = readJson(processes);
    assert.equal(children.length, 2);
    assert.ok(children.every(isAlive));
    child.kill('SIGKILL');
    assert.ok(await within(3_000, () => !children.some(isAlive)), 'nothing is left');
  });

  it('stops what an earlier one could not take with it', async () => {
    const { supervisor, processes } = stage();
    const orphan = spawn('sleep', ['600'], { stdio: 'ignore' });
    const facts = inspect(orphan.pid ?? 0);
    assert.ok(facts);
    const stranger = inspect(process.pid);
    // A number that belongs to somebody else by now is left alone.
    writeFileSync(processes, JSON.stringify([facts, { ...stranger, startTime: '1' }]));
    await supervisor.reclaim();
    assert.equal(isAlive(facts), false);
  });

  it('frees the ports of what it stopped', async () => {
    const { supervisor } = stage();
    const { freePort } = await import('./ports.mjs');
    const port = await freePort();
    const source = `require('node:http').createServer().listen(${port}, '127.0.0.1')`;
    await supervisor.start({
      name: 'server',
      command: [process.execPath, '-e', source],
      ready: async () => !(await isFree(port)),
    });
    await supervisor.stop();
    assert.equal(await isFree(port), true);
  });
});
