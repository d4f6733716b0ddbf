// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';

const here = import.meta.dirname;

describe('bundle.mjs', () => {
  let folder = '';
  const at = (/** @type {string} */ name) => join(folder, name);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const bundle = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [at('tools/bundle.mjs'), ...args], { encoding: 'utf8', timeout: 60_000 });
  /** What the bundle says, in a folder that is none of its own. */
  const said = () =>
    spawnSync(process.execPath, [at('apps/read-api/bundle/main.js')], { encoding: 'utf8', cwd: tmpdir() });
  const made = () => statSync(at('apps/read-api/bundle/program.js')).mtimeMs;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-bundle-'));
    mkdirSync(at('tools'));
    for (const name of ['bundle.mjs', 'bundle-entry.cjs'])
      copyFileSync(join(here, name), at(`tools/${name}`));
    symlinkSync(join(here, '../node_modules'), at('node_modules'));
    write('package-lock.json', '{}');
    write(
      'apps/read-api/dist/main.js',
      `console.log(require('../../../libs/greeting/dist/deep/greeting.js').text);`,
    );
    write(
      'libs/greeting/dist/deep/greeting.js',
      `exports.text = require('node:fs').readFileSync(require('node:path').join(__dirname, '../../greeting.txt'), 'utf8')
        + require('node:path').basename(__filename) + require('node:module').createRequire(__filename)('./beside.js');`,
    );
    write('libs/greeting/dist/deep/beside.js', `module.exports = ' and what is beside it';`);
    write('libs/greeting/greeting.txt', 'hello from ');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('makes one file of an application, in which own files still find what lies beside them', () => {
    assert.equal(bundle('read-api').status, 0);
    assert.equal(said().stdout, 'hello from greeting.js and what is beside it\n');
    rmSync(at('libs/greeting/dist/deep/greeting.js'));
    assert.equal(said().stdout, 'hello from greeting.js and what is beside it\n');
  });

  it('leaves alone what is newer than all that it is made of, and makes anew what is not', () => {
    write('libs/greeting/dist/deep/greeting.js', `exports.text = 'changed';`);
    assert.equal(bundle('read-api').status, 0);
    assert.equal(said().stdout, 'changed\n');
    const before = made();
    assert.equal(bundle('read-api').status, 0);
    assert.equal(made(), before);
    for (const name of ['libs/greeting/dist/deep/greeting.js', 'package-lock.json']) {
      const last = made();
      const later = new Date(Date.now() + 60_000);
      utimesSync(at(name), later, later);
      assert.equal(bundle('read-api').status, 0);
      assert.notEqual(made(), last);
      const now = new Date();
      utimesSync(at(name), now, now);
    }
  });

  it('leaves out what zod says in other languages than its own', () => {
    write(
      'libs/greeting/dist/deep/greeting.js',
      `const { z } = require('zod');
      exports.text = z.string().safeParse(1).error.issues[0].message + ' ' + ('fr' in z.locales);`,
    );
    assert.equal(bundle('read-api').status, 0);
    assert.equal(said().stdout, 'Invalid input: expected string, received number false\n');
    write('libs/greeting/dist/deep/greeting.js', `exports.text = 'changed';`);
    assert.equal(bundle('read-api').status, 0);
  });

  it('writes nothing beyond ASCII, and changes no text by it', () => {
    write(
      'libs/greeting/dist/deep/greeting.js',
      `// Comments go — all of them.
      exports.text = ['don’t', '5 €', 'ö😀'].map((text) => text.replace(/[’€]|ö/, '!').replace(/[😀]/u, '?')).join();`,
    );
    assert.equal(bundle('read-api').status, 0);
    assert.equal(said().stdout, 'don!t,5 !,!?\n');
    assert.match(readFileSync(at('apps/read-api/bundle/program.js'), 'utf8'), /^[\0-\x7f]+$/);
    write('libs/greeting/dist/deep/greeting.js', `exports.text = 'changed';`);
    assert.equal(bundle('read-api').status, 0);
  });

  it('bundles several at once, each with its own files alone, and none for a change that is another’s', () => {
    write(
      'apps/console/dist/place.js',
      `exports.text = require('node:path').relative(process.cwd(), __dirname);`,
    );
    write('apps/console/dist/main.js', `console.log(require('./place.js').text);`);
    assert.equal(bundle('read-api', 'console').status, 0);
    const { stdout } = spawnSync(process.execPath, [at('apps/console/bundle/main.js')], {
      ...{ encoding: 'utf8', cwd: folder },
    });
    assert.equal(stdout, 'apps/console/dist\n');
    assert.equal(said().stdout, 'changed\n');
    const before = made();
    const later = new Date(Date.now() + 60_000);
    utimesSync(at('apps/console/dist/place.js'), later, later);
    assert.equal(bundle('read-api', 'console').status, 0);
    assert.equal(made(), before);
    rmSync(at('apps/console'), { recursive: true });
  });

  it('says what is no application, what is not compiled, and what to do', () => {
    const { status, stderr } = bundle('nonsense', 'console');
    assert.equal(status, 1);
    assert.match(stderr, /^nonsense is none of analysis-worker, console, /);
    assert.match(stderr, /console is not compiled\. Run "npm run build"\./);
  });

  it('says what it cannot find', () => {
    write('apps/console/dist/main.js', `require('./nowhere.js');`);
    const { status, stderr } = bundle('console');
    assert.equal(status, 1);
    assert.match(stderr, /nowhere\.js/);
  });
});

describe('the entry of a bundle', () => {
  let folder = '';
  const at = (/** @type {string} */ name) => join(folder, name);
  /** Where Node keeps what it compiles, in a folder of this version and these options. */
  const kept = () =>
    readdirSync(at('kept'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.program'))
      .map((name) => join(at('kept'), name));
  const write = (/** @type {string} */ text) => writeFileSync(at('program.js'), text);
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [at('main.js'), ...args], {
      ...{ encoding: 'utf8', timeout: 60_000 },
      env: { NODE_COMPILE_CACHE: at('kept') },
    });
  /** A time that no file gets by being written. */
  const long = new Date(2001, 1, 1);
  const age = (/** @type {string} */ file) => utimesSync(file, long, long);
  const isOld = (/** @type {string} */ file) => statSync(file).mtimeMs === long.getTime();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-entry-'));
    mkdirSync(at('kept'));
    copyFileSync(join(here, 'bundle-entry.cjs'), at('main.js'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('runs the program as if it were loaded, whether or not anything is kept', () => {
    write(
      `console.log(require('node:path').basename(__filename), __dirname, require.main === module, process.argv[2]);`,
    );
    const expected = `program.js ${folder} `;
    const plain = spawnSync(process.execPath, [at('main.js'), 'word'], { encoding: 'utf8', env: {} });
    assert.match(plain.stdout, new RegExp(`^${expected}(true|false) word\n$`));
    // The first time, and with what that kept.
    for (const { stdout } of [run('word'), run('word')])
      assert.match(stdout, new RegExp(`^${expected}(true|false) word\\n$`));
  });

  it('keeps what was compiled, and takes it back', () => {
    write(`const late = () => 'said'; setTimeout(() => console.log(late()), 1);`);
    assert.equal(run().stdout, 'said\n');
    const [file = ''] = kept();
    age(file);
    assert.equal(run().stdout, 'said\n');
    // What V8 does not take back is replaced.
    assert.ok(isOld(file));
  });

  it('replaces what is of another text, as long as this one, and what is broken', () => {
    write(`console.log('one');`);
    assert.equal(run().stdout, 'one\n');
    const [file = ''] = kept();
    age(file);
    write(`console.log('two');`);
    assert.equal(run().stdout, 'two\n');
    assert.ok(!isOld(file));
    const whole = readFileSync(file);
    const shortened = Buffer.concat([whole.subarray(0, -40), whole.subarray(-4)]);
    for (const broken of [shortened, whole.subarray(0, 3), Buffer.alloc(whole.length)]) {
      writeFileSync(file, broken);
      age(file);
      assert.equal(run().stdout, 'two\n');
      assert.ok(!isOld(file));
    }
  });

  it('keeps one for each command, and none for what fails', () => {
    write(`process.exitCode = ['known', 'other'].includes(process.argv[2]) ? 0 : 1;`);
    for (const command of ['known', 'other', 'nonsense', 'more nonsense']) run(command);
    assert.equal(kept().length, 2);
  });

  it('keeps what a service compiled before it had started, and nothing after it changed the options of V8', () => {
    const changes = `require('node:v8').setFlagsFromString('--heap-growing-percent=100');`;
    write(changes);
    run();
    assert.deepEqual(kept(), []);
    write(`process.emit('started', 0); ${changes} process.kill(process.pid, 'SIGKILL');`);
    assert.equal(run().signal, 'SIGKILL');
    const [file = ''] = kept();
    age(file);
    run();
    assert.ok(isOld(file));
  });
});
