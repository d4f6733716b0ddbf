// @ts-check
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { verdict } from '../audit.mjs';
import { faultsOf } from '../lockfile-check.mjs';
import { describe as explain, Failure } from './failure.mjs';
import { isInstalled } from './install.mjs';
import { takeLock } from './lock.mjs';
import { freePort, requireFree } from './ports.mjs';
import { inspect, isAlive, run } from './processes.mjs';
import { requireRecent } from './redis.mjs';
import { portsFrom } from './settings.mjs';

const directory = mkdtempSync(join(tmpdir(), 'outcomes-pieces-'));
after(() => rmSync(directory, { recursive: true, force: true }));

describe('ports', () => {
  it('are the documented ones unless the environment says otherwise', () => {
    assert.equal(portsFrom({}).readApi.port, 3001);
    assert.equal(portsFrom({ READ_API_PORT: '4001', MCP_PORT: '' }).readApi.port, 4001);
    for (const text of ['0', '65536', 'x', '-1', '30.5']) {
      assert.throws(() => portsFrom({ MCP_PORT: text }), /MCP_PORT must be a port number/);
    }
  });

  it('that are taken or given twice are named, each with the way to change it', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise((ready) => server.listen(port, '127.0.0.1', () => ready(undefined)));
    const free = await freePort();
    try {
      await requireFree([{ variable: 'FREE_PORT', port: free }]);
      const ports = [
        { variable: 'READ_API_PORT', port },
        { variable: 'MCP_PORT', port: free },
        { variable: 'REDIS_PORT', port: free },
      ];
      await assert.rejects(requireFree(ports), (/** @type {Error} */ { message }) => {
        const [taken, twice, ...more] = message.split('\n');
        assert.match(taken ?? '', new RegExp(`Port ${port} is taken.*READ_API_PORT=\\d+ npm start`));
        assert.match(twice ?? '', new RegExp(`Port ${free} is given to both MCP_PORT and REDIS_PORT`));
        return more.length === 0;
      });
    } finally {
      server.close();
    }
  });
});

describe('the installation', () => {
  const lock = (/** @type {object} */ packages) => JSON.stringify({ packages });
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
  };
  const cases = [
    {
      title: 'complete without another platform',
      present: { 'node_modules/a': { version: '1.0.0' } },
      whole: true,
    },
    { title: 'of another version', present: { 'node_modules/a': { version: '1.0.1' } }, whole: false },
    { title: 'lacking a package', present: {}, whole: false },
    {
      title: 'with a package too many',
      present: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/c': { version: '1.0.0' } },
      whole: false,
    },
  ];
  for (const [index, { title, present, whole }] of cases.entries()) {
    it(`${title} is ${whole ? 'kept' : 'renewed'}`, () => {
      const folder = join(directory, `install-${index}`);
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      writeFileSync(join(folder, 'package-lock.json'), lock(wanted));
      assert.equal(isInstalled(folder), false, 'npm has not finished yet');
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock(present));
      assert.equal(isInstalled(folder), whole);
    });
  }
});

describe('the lock file check', () => {
  it('names missing optional packages and registry addresses', () => {
    const packages = {
      '': { optionalDependencies: { carried: '1', missing: '1' } },
      'node_modules/carried': { optionalDependencies: { nested: '1' } },
      'node_modules/carried/node_modules/nested': {},
      'node_modules/@outcomes/x': { resolved: 'libs/x', link: true },
      'node_modules/tied': { resolved: 'https://registry.example/tied.tgz' },
    };
    const faults = faultsOf({ packages });
    assert.equal(faults.length, 2);
    assert.match(faults[0] ?? '', /missing/);
    assert.match(faults[1] ?? '', /node_modules\/tied/);
  });
});

describe('the audit', () => {
  const found = (/** @type {number} */ high) => JSON.stringify({ metadata: { vulnerabilities: { high } } });
  it('fails on findings, and on nothing but findings', () => {
    assert.deepEqual(verdict(found(1), 1).passed, false);
    assert.deepEqual(verdict(found(0), 0).passed, true);
    const unavailable = [
      { message: '405 Method Not Allowed - POST .../advisories/bulk', statusCode: 405, error: {} },
      {
        message: 'request to .../advisories/bulk failed, reason: connect ECONNREFUSED 127.0.0.1:9',
        error: {},
      },
    ];
    for (const report of unavailable) {
      const { passed, line } = verdict(JSON.stringify(report), 1);
      assert.match(line, /NOT RUN/);
      assert.equal(passed, true);
    }
    for (const report of [
      { message: 'Unsupported lock file' },
      { message: '401 Unauthorized', statusCode: 401 },
      {},
    ]) {
      assert.equal(verdict(JSON.stringify(report), 1).passed, false);
    }
    assert.equal(verdict('', 1).passed, false);
  });
});

describe('messages', () => {
  it('are one line for what is nobody’s fault', () => {
    assert.equal(explain(new Failure('Said.')), 'Said.');
    const full = Object.assign(new Error('x'), { code: 'ENOSPC', path: '/somewhere' });
    assert.match(explain(full), /^The disk is full.*\/somewhere.*$/);
    assert.throws(() => requireRecent('6.0.16', 'It'), /It is Redis 6.0.16. Redis 6.2 or newer is needed/);
    requireRecent('6.2.0', 'It');
    requireRecent('7.0.15', 'It');
  });
});

describe('a lock', () => {
  it('is held by one process, and free again when that process is killed', async () => {
    const file = join(directory, 'lock');
    const release = takeLock(file);
    assert.ok(release);
    const source = `
      import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))};
      console.log(takeLock(${JSON.stringify(file)}) ? 'taken' : 'refused');
      process.kill(process.pid, 'SIGKILL');`;
    const attempt = () => run([process.execPath, '--input-type=module', '-e', source], { timeout: 10_000 });
    assert.match((await attempt()).stdout, /refused/);
    release();
    assert.match((await attempt()).stdout, /taken/);
    assert.match((await attempt()).stdout, /taken/, 'the killed holder left nothing');
  });
});

describe('a process', () => {
  it('is not mistaken for a later one with the same number', () => {
    const facts = inspect(process.pid);
    assert.ok(facts);
    assert.equal(facts.parent, process.ppid);
    assert.equal(isAlive(facts), true);
    assert.equal(isAlive({ ...facts, startTime: '1' }), false);
  });

  it('is ended when it takes too long, or when it is told to', async () => {
    const forever = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    assert.ok((await run(forever, { timeout: 300 })).code > 128);
    assert.ok((await run(forever, { timeout: 10_000, signal: AbortSignal.timeout(200) })).code > 128);
  });
});
