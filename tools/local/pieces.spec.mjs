// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { verdict } from '../audit.mjs';
import { faultsOf } from '../lockfile-check.mjs';
import { describe as explain, Failure } from './failure.mjs';
import { fakeProject } from './fake-project.fixture.mjs';
import { isInstalled, withAddresses } from './install.mjs';
import { takeLock } from './lock.mjs';
import { folderInMemory, memoryOf, removeWithMemory } from './memory-folder.mjs';
import { freePort, requireFree } from './ports.mjs';
import { loginMark } from './postgres.mjs';
import { inspect, isAlive, run } from './processes.mjs';
import { step } from './progress.mjs';
import { redisFacts, redisVersion, requireRecent, unpackedRedis } from './redis.mjs';
import { portsFrom, root } from './settings.mjs';
import { together } from './together.mjs';

const directory = mkdtempSync(join(tmpdir(), 'outcomes-pieces-'));
after(() => rmSync(directory, { recursive: true, force: true }));

describe('logins of services', () => {
  it('are known by what libs/persistence writes down of them', () => {
    const made = readFileSync(join(root, 'libs/persistence/src/database/service-logins.ts'), 'utf8');
    assert.ok(made.includes(`const MARK = '${loginMark}';`));
  });
});

describe('an older Node', () => {
  const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @param {string} version @returns What `npm start` and `npm test` load first says to a Node of this version. */
  const saidTo = (version) => {
    const pretence = join(directory, `node-${version}.cjs`);
    const versions = JSON.stringify({ node: version });
    writeFileSync(pretence, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    const first = join(root, 'tools/local/node-version.cjs');
    const options = ['--require', pretence, '--require', first, '--print', '"began"'];
    const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8', env: {} });
    return { status, stdout, stderr };
  };

  it('is told in one line what is needed, before anything else is loaded', () => {
    for (const name of ['start', 'test'])
      assert.match(scripts[name], /^node --require \.\/tools\/local\/node-version\.cjs tools\//);
    for (const version of ['12.22.9', '18.20.4', '20.18.3']) {
      const { status, stdout, stderr } = saidTo(version);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^Node 20\.19 or newer is needed, and \/.* is v\S+: install a newer one.*\n$/);
    }
  });

  it('is one that package.json does not take', () => {
    const oldest = engines.node.replace('>=', '');
    for (const version of [oldest, '20.20.2', '22.0.0', '24.21.0'])
      assert.deepEqual(saidTo(version), { status: 0, stdout: 'began\n', stderr: '' });
  });
});

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
  /** @type {{ title: string, made?: object, present: object, whole: boolean }[]} */
  const cases = [
    {
      title: 'complete without another platform',
      present: { 'node_modules/a': { version: '1.0.0' } },
      whole: true,
    },
    {
      title: 'lacking what is optional, but made for this machine,',
      made: { os: [process.platform], cpu: [process.arch] },
      present: { 'node_modules/a': { version: '1.0.0' } },
      whole: false,
    },
    {
      title: 'lacking what is made for this machine with another library of C',
      made: { os: [process.platform], cpu: [process.arch], libc: ['musl'] },
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
  for (const [index, { title, present, whole, made = {} }] of cases.entries()) {
    it(`${title} is ${whole ? 'kept' : 'renewed'}`, () => {
      const folder = join(directory, `install-${index}`);
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      const optional = { ...wanted['node_modules/b'], ...made };
      writeFileSync(join(folder, 'package-lock.json'), lock({ ...wanted, 'node_modules/b': optional }));
      assert.equal(isInstalled(folder), false, 'npm has not finished yet');
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock(present));
      assert.equal(isInstalled(folder), whole);
    });
  }
});

describe('addresses of packages', () => {
  it('follow from names and versions, where a hash says whether the right thing came', () => {
    const integrity = 'sha512-x';
    const packages = {
      '': { version: '1.0.0' },
      'libs/x': { version: '1.0.0' },
      'node_modules/@outcomes/x': { resolved: 'libs/x', link: true },
      'node_modules/a': { version: '1.0.0', integrity },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0-rc.1', integrity },
      'node_modules/alias': { name: '@d/e', version: '3.0.0', integrity },
      'node_modules/unproven': { version: '1.0.0' },
    };
    const addressed = withAddresses({ packages }, 'http://registry.example/npm/');
    const of = (/** @type {string} */ path) => addressed.packages[path].resolved;
    assert.equal(of('node_modules/a'), 'http://registry.example/npm/a/-/a-1.0.0.tgz');
    assert.equal(
      of('node_modules/a/node_modules/@b/c'),
      'http://registry.example/npm/@b/c/-/c-2.0.0-rc.1.tgz',
    );
    assert.equal(of('node_modules/alias'), 'http://registry.example/npm/@d/e/-/e-3.0.0.tgz');
    assert.equal(of('node_modules/@outcomes/x'), 'libs/x');
    for (const path of ['', 'libs/x', 'node_modules/unproven']) assert.equal(of(path), undefined);
  });

  /**
   * Installs with an npm that notes what it was given, in a project of one package.
   * @param {string} name
   * @param {string} npm What it does then.
   */
  async function install(name, npm, isComplete = false) {
    const folder = join(directory, name);
    mkdirSync(join(folder, 'path'), { recursive: true });
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    if (isComplete) {
      mkdirSync(join(folder, 'node_modules'));
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
    }
    writeFileSync(join(folder, 'npm-shrinkwrap.json'), 'left by an installation that was killed');
    writeFileSync(join(folder, 'given'), '');
    writeFileSync(
      join(folder, 'path/npm'),
      `#!/bin/sh\n[ "$1" != config ] || exec echo http://here/\necho "$(cat npm-shrinkwrap.json 2> /dev/null || echo none)" | tr -d '\\n' >> given\necho >> given\n${npm}`,
      { mode: 0o755 },
    );
    // The tools find their project by the place where they lie.
    cpSync(import.meta.dirname, join(folder, 'tools/local'), { recursive: true });
    const source = `
      import { onProjectNode } from ${JSON.stringify(join(folder, 'tools/local/install.mjs'))};
      await onProjectNode('', [], async () => {});`;
    const { code, output } = await run([process.execPath, '--input-type=module', '-e', source], {
      ...{ cwd: folder, timeout: 20_000 },
      env: {
        ...process.env,
        NODE_TEST_CONTEXT: undefined,
        PATH: `${join(folder, 'path')}:${process.env['PATH']}`,
      },
    });
    const given = readFileSync(join(folder, 'given'), 'utf8').trim().split('\n');
    return { code, output, given, left: existsSync(join(folder, 'npm-shrinkwrap.json')) };
  }
  const complete = 'mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json';

  it('are given to npm, and nothing of that stays', async () => {
    const { code, output, given, left } = await install('addressed', complete);
    assert.equal(code, 0, output);
    assert.equal(given.length, 1);
    assert.match(given[0] ?? '', /"resolved": "http:\/\/here\/a\/-\/a-1\.0\.0\.tgz"/);
    assert.equal(left, false);
  });

  it('are left to the registry where it has its files elsewhere', async () => {
    const { code, output, given, left } = await install(
      'elsewhere',
      `[ ! -e npm-shrinkwrap.json ] || exit 1\n${complete}`,
    );
    assert.equal(code, 0, output);
    assert.deepEqual(given.slice(1), ['none']);
    assert.equal(left, false);
  });

  it('that a killed installation has left are removed', async () => {
    const { code, given, left } = await install('killed', complete, true);
    assert.deepEqual({ code, given, left }, { code: 0, given: [''], left: false });
  });

  it('do not hide why an installation fails', async () => {
    const { code, output, left } = await install('failing', 'echo no network; exit 1');
    assert.notEqual(code, 0);
    assert.match(output, /no network\nnpm ci ended with code 1/);
    assert.equal(left, false);
  });

  it('are not asked for again where the registry cannot be reached', async () => {
    const failing = 'echo "npm error code EAI_AGAIN"; exit 1';
    const { code, output, given, left } = await install('offline', failing);
    assert.notEqual(code, 0);
    assert.match(output, /EAI_AGAIN\nThe npm registry cannot be reached: check the network/);
    assert.deepEqual({ asked: given.length, left }, { asked: 1, left: false });
  });
});

describe('the page of the console', () => {
  const folder = join(directory, 'page');
  const sources = ['src', 'public', 'index.html', 'vite.config.mjs'].map(
    (name) => `apps/console-web/${name}`,
  );
  const others = ['contracts', 'statistics', 'source-profiles'].map((name) => `libs/${name}/src`);
  const complete = join(folder, 'apps/console/page/complete');

  /** @returns {Promise<boolean>} Whether it was built. */
  async function build() {
    const source = `
      import { build } from ${JSON.stringify(join(folder, 'tools/local/install.mjs'))};
      await build(new AbortController().signal);`;
    const command = [process.execPath, '--input-type=module', '-e', source];
    const { code, output } = await run(command, { timeout: 20_000 });
    assert.equal(code, 0, output);
    assert.ok(existsSync(join(folder, 'compiled')), 'the compiler is always asked');
    rmSync(join(folder, 'compiled'));
    const isBuilt = existsSync(join(folder, 'built'));
    rmSync(join(folder, 'built'), { force: true });
    return isBuilt;
  }

  it('is built where something changed or was not finished, and at no other time', async () => {
    cpSync(import.meta.dirname, join(folder, 'tools/local'), { recursive: true });
    for (const path of [...sources, ...others]) {
      const isFile = /\.\w+$/.test(path);
      mkdirSync(join(folder, isFile ? dirname(path) : `${path}/deep`), { recursive: true });
      writeFileSync(join(folder, isFile ? path : `${path}/deep/file`), '');
    }
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(folder, 'tools/bundle.mjs'), '');
    for (const name of ['node_modules/vite/bin', 'node_modules/@typescript/native/bin', '.local'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(
      join(folder, 'node_modules/@typescript/native/bin/tsc'),
      `require('node:fs').writeFileSync('compiled', '')`,
    );
    mkdirSync(dirname(complete), { recursive: true });
    writeFileSync(
      join(folder, 'node_modules/vite/bin/vite.js'),
      `const { writeFileSync } = require('node:fs');
       for (const name of ['../console/page/index.html', '../console/page/complete', '../../built']) writeFileSync(name, '');`,
    );
    assert.equal(await build(), true, 'there was none');
    assert.equal(await build(), false, 'nothing changed');
    rmSync(complete);
    assert.equal(await build(), true, 'it was not finished');
    const soon = new Date(Date.now() + 60_000);
    for (const path of [
      'apps/console-web/index.html',
      'libs/statistics/src/deep/file',
      'package-lock.json',
    ]) {
      utimesSync(join(folder, path), soon, soon);
      assert.equal(await build(), true, path);
      utimesSync(join(folder, path), new Date(0), new Date(0));
      assert.equal(await build(), false, path);
    }
  });
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
    const closed = Object.assign(new Error('x'), { code: 'EROFS', path: '/somewhere', syscall: 'mkdir' });
    assert.match(explain(closed), /^No permission to write \/somewhere: .* is its folder read-only\?.*$/);
    assert.throws(() => requireRecent('6.0.16', 'It'), /It is Redis 6.0.16. Redis 6.2 or newer is needed/);
    requireRecent('6.2.0', 'It');
    requireRecent('7.0.15', 'It');
  });
});

describe('a Redis that does not answer', () => {
  it('is told by its address', async () => {
    const port = await freePort();
    await assert.rejects(
      redisVersion(`redis://127.0.0.1:${port}`),
      new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${port}`),
    );
  });
});

describe('a Redis that answers', () => {
  it('is asked for its version, and for what it does where its memory is full', async () => {
    const info = 'redis_version:7.0.15\r\nmaxmemory_policy:allkeys-lru\r\n';
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        for (const [, word] of String(data).matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)\r\n/gm))
          socket.write(word?.toUpperCase() === 'INFO' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
      });
    });
    const port = await freePort();
    await new Promise((ready) => server.listen(port, '127.0.0.1', () => ready(undefined)));
    try {
      const facts = await redisFacts(`redis://127.0.0.1:${port}`);
      assert.deepEqual(facts, { version: '7.0.15', policy: 'allkeys-lru' });
    } finally {
      server.close();
    }
  });
});

describe('Redis, for a user who may not install packages,', () => {
  it('is unpacked once, with its libraries, from what apt fetches', async () => {
    const folder = join(directory, "somebody's packages");
    // The package: a server that says what it was given, and a library.
    const contents = join(folder, 'contents');
    const libraries = 'usr/lib/x86_64-linux-gnu';
    for (const part of ['DEBIAN', 'usr/bin', libraries]) mkdirSync(join(contents, part), { recursive: true });
    writeFileSync(
      join(contents, 'DEBIAN/control'),
      [
        'Package: redis-server',
        'Version: 1',
        'Architecture: all',
        'Maintainer: x',
        'Description: x',
        '',
      ].join('\n'),
    );
    writeFileSync(join(contents, libraries, 'library.so'), '');
    writeFileSync(join(contents, 'usr/bin/redis-server'), '#!/bin/sh\necho "$LD_LIBRARY_PATH $*"\n', {
      mode: 0o755,
    });
    // apt: puts the package where it is told to, and counts how often it was asked.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const script = [
      '#!/bin/sh',
      'echo "$*" >> "$ASKED"',
      'archives=$(echo "$*" | sed "s/.*Dir::Cache::archives=//; s/ -o .*//")',
      'case "$*" in *" update") [ -z "$OFFLINE" ] || echo "W: no network" ;;',
      '*) [ -z "$OFFLINE" ] || { echo "E: no such package"; exit 100; }',
      'dpkg-deb -b "$CONTENTS" "$archives/redis-server_1_all.deb" ;; esac',
    ];
    writeFileSync(join(bin, 'apt-get'), `${script.join('\n')}\n`, { mode: 0o755 });
    const asked = join(folder, 'asked');
    const environment = { PATH: `${bin}:${process.env['PATH']}`, ASKED: asked, CONTENTS: contents };
    const before = { ...process.env };
    Object.assign(process.env, environment);
    try {
      const unpacked = join(folder, 'redis-package');
      process.env['OFFLINE'] = 'yes';
      await assert.rejects(
        unpackedRedis(unpacked),
        /failed: W: no network\nE: no such package\nRedis 6\.2 or newer is needed: install it/,
      );
      delete process.env['OFFLINE'];
      const server = await unpackedRedis(unpacked);
      assert.equal(await unpackedRedis(unpacked), server);
      const { stdout } = await run([server, 'a b', 'c'], { timeout: 5_000 });
      assert.equal(stdout, `${join(unpacked, libraries)} a b c\n`);
      // Once in vain, and once: its lists and the package.
      assert.equal(readFileSync(asked, 'utf8').trim().split('\n').length, 4);
      assert.deepEqual(readdirSync(folder).sort(), ['asked', 'bin', 'contents', 'redis-package']);
    } finally {
      for (const name of Object.keys({ ...environment, OFFLINE: '' })) {
        delete process.env[name];
        if (before[name] !== undefined) process.env[name] = before[name];
      }
    }
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

describe('the folder of a run', () => {
  it('that was killed is removed by the next run of its kind, and one that is in use by none', async () => {
    const { folder, remove } = await fakeProject();
    try {
      const module = join(folder, 'tools/local/run-folder.mjs');
      const made = async (/** @type {string} */ kind, /** @type {string} */ then) => {
        const source = `
          import { writeFileSync } from 'node:fs';
          import { join } from 'node:path';
          import { clusterIn, makeRunFolder } from ${JSON.stringify(module)};
          const { directory, remove } = await makeRunFolder(${JSON.stringify(kind)});
          writeFileSync(join(directory, 'left'), '');
          console.log(clusterIn(directory));
          ${then}`;
        const { stdout } = await run([process.execPath, '--input-type=module', '-e', source], {
          timeout: 20_000,
        });
        return dirname(stdout.trim());
      };
      const killed = await made('bench', `process.kill(process.pid, 'SIGKILL');`);
      assert.ok(existsSync(join(killed, 'left')));
      const other = await made('test', `process.kill(process.pid, 'SIGKILL');`);
      const inUse = join(folder, '.local', `bench-${process.pid}`);
      mkdirSync(inUse);
      const release = takeLock(join(inUse, 'lock'));
      const over = await made('bench', 'remove();');
      release?.();
      assert.deepEqual([killed, over, inUse, other].map(existsSync), [false, false, true, true]);
    } finally {
      remove();
    }
  });
});

describe('a folder in memory', () => {
  const onDisk = join(directory, 'run');
  const madeHere = () => {
    mkdirSync(onDisk);
    return folderInMemory(onDisk);
  };

  it('is for its owner alone, is found from the disk, and goes with what is there', (context) => {
    context.mock.method(process, 'availableMemory', () => 2 ** 40);
    const shm = '/dev/shm';
    const { bavail, bsize } = existsSync(shm) ? statfsSync(shm) : { bavail: 0, bsize: 0 };
    const folder = madeHere();
    // Mutation: none is ever made.
    assert.equal(folder !== undefined, bavail * bsize >= 4 * 2 ** 30);
    if (folder) {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      writeFileSync(join(folder, 'file'), 'x');
    }
    assert.equal(memoryOf(onDisk), folder);
    removeWithMemory(onDisk);
    // Mutation: the link alone is removed.
    for (const path of [onDisk, folder]) assert.ok(!path || !existsSync(path), path);
  });

  it('that a restart of the machine has removed is in nobody’s way', () => {
    const folder = madeHere();
    if (folder) rmSync(folder, { recursive: true });
    removeWithMemory(onDisk);
    assert.ok(!existsSync(onDisk));
  });

  it('is not made where memory is short', (context) => {
    context.mock.method(process, 'availableMemory', () => 2 ** 30);
    assert.equal(madeHere(), undefined);
    assert.equal(memoryOf(onDisk), undefined);
    removeWithMemory(onDisk);
  });
});

describe('two things at once', () => {
  const never = new AbortController().signal;
  it('give both results', async () => {
    assert.deepEqual(
      await together(
        never,
        async () => 1,
        async () => 'two',
      ),
      [1, 'two'],
    );
  });

  it('stop both when one fails, and only then pass its failure on', async () => {
    let wasStopped = false;
    const patient = async (/** @type {AbortSignal} */ signal) => {
      await run([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { timeout: 10_000, signal });
      wasStopped = signal.aborted;
      signal.throwIfAborted();
    };
    const failing = async () => {
      throw new Failure('The first.');
    };
    await assert.rejects(together(never, patient, failing), { message: 'The first.' });
    assert.equal(wasStopped, true);
    await assert.rejects(together(never, failing, patient), { message: 'The first.' });
    await assert.rejects(together(AbortSignal.timeout(200), patient, patient), /timeout/);
  });
});

describe('a step', () => {
  /**
   * What is written of work that fails in the end, without times and beginnings.
   * @param {() => Promise<unknown>} work
   * @param {import('node:test').TestContext} context
   */
  const told = async (work, context) => {
    /** @type {string[]} */
    const lines = [];
    const passedOn = process.stdout.write.bind(process.stdout);
    const write = context.mock.method(process.stdout, 'write', (/** @type {any} */ text) => {
      const [, line] = /^ {2}(\w+: \w+) in [\d.]+ s\n$/.exec(String(text)) ?? [];
      // The test runner writes there too.
      if (line === undefined) return passedOn(text);
      lines.push(line);
      return true;
    });
    await assert.rejects(work());
    write.mock.restore();
    return lines;
  };

  it('that is stopped because another failed beside it has not failed', async (context) => {
    const never = new AbortController().signal;
    /** @param {AbortSignal} signal */
    const building = (signal) =>
      step(
        'Building',
        async () => {
          await run([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { timeout: 10_000, signal });
          signal.throwIfAborted();
        },
        signal,
      );
    /** @param {AbortSignal} signal */
    const starting = (signal) =>
      step(
        'Starting',
        () =>
          step('Installing', async () => {
            throw new Failure('No disk.');
          }),
        signal,
      );
    assert.deepEqual(await told(() => together(never, building, starting), context), [
      'Installing: failed',
      'Starting: failed',
      'Building: stopped',
    ]);
  });

  it('that somebody stops has not failed either', async (context) => {
    const stopped = AbortSignal.abort(new Failure('Stopping ...'));
    const work = async () => stopped.throwIfAborted();
    assert.deepEqual(await told(() => step('Building', work, stopped), context), ['Building: stopped']);
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
