// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

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
  const made = () => statSync(at('apps/read-api/bundle/main.js')).mtimeMs;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-bundle-'));
    mkdirSync(at('tools'));
    copyFileSync(join(here, 'bundle.mjs'), at('tools/bundle.mjs'));
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
    assert.match(readFileSync(at('apps/read-api/bundle/main.js'), 'utf8'), /^[\0-\x7f]+$/);
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
