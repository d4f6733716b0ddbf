// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from './settings.mjs';
import { suiteGroups, writeSuiteGroups } from './suite-groups.mjs';

const directory = mkdtempSync(join(tmpdir(), 'outcomes-groups-'));
after(() => rmSync(directory, { recursive: true, force: true }));

let projects = 0;
/** @param {Record<string, string>} files - by path */
function projectOf(files) {
  const folder = join(directory, String((projects += 1)));
  for (const [path, text] of Object.entries({ 'apps/none/package.json': '{}', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** @param {string[]} args */
function jest(...args) {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  return spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8', timeout: 60_000 });
}

describe('groups of suites', () => {
  it('have every suite that Jest knows, once', () => {
    const { stdout } = jest('--listTests', '--json');
    const known = /** @type {string[]} */ (JSON.parse(stdout)).sort();
    assert.ok(known.length > 500);
    const grouped = suiteGroups(root).flatMap(({ suites }) => suites.map((suite) => join(root, suite)));
    assert.deepEqual(grouped.sort(), known);
  });

  it('are of one project and one kind, of about the same length, smaller where suites start services, and leave alone what replaces modules', () => {
    const own = { 'libs/a/jest.config.js': '', 'apps/b/jest.config.cjs': '', 'libs/README.md': '' };
    const units = Object.fromEntries(
      Array.from({ length: 32 }, (_, n) => [`libs/a/src/${n}.spec.ts`, '.'.repeat(n < 2 ? 50 : 10)]),
    );
    const services = Array.from({ length: 8 }, (_, n) => [`apps/b/test/${n}.e2e-spec.ts`, '.']);
    const groups = suiteGroups(
      projectOf({
        ...own,
        ...units,
        'libs/a/src/replacing.spec.ts': `jest.mock('node:fs')`,
        'libs/a/dist/built.spec.ts': '',
        'libs/a/src/one.int-spec.ts': '',
        ...Object.fromEntries(services),
      }),
    );
    const sizes = groups.map(({ project, kind, suites }) => [project, kind, suites.length]);
    assert.deepEqual(sizes, [
      ...[4, 4].map((size) => ['apps/b', 'e2e-spec', size]),
      ['libs/a', 'int-spec', 1],
      ...[1, 16, 16].map((size) => ['libs/a', 'spec', size]),
    ]);
    const [long, other] = ['0', '1'].map((name) =>
      groups.find(({ suites }) => suites.includes(`libs/a/src/${name}.spec.ts`)),
    );
    assert.notEqual(long, other);
  });

  it('run each suite with its own hooks, and name the suite that fails', () => {
    const suite = (/** @type {number} */ expected) =>
      `let hooks = 0;\nbeforeEach(() => (hooks += 1));\nit('counts', () => expect(hooks).toBe(${expected}));\n`;
    const project = projectOf({
      'jest.config.js': 'module.exports = {};',
      'libs/l/jest.config.js': 'module.exports = { rootDir: __dirname, transform: {} };',
      'libs/l/src/a.spec.ts': suite(1),
      'libs/l/src/b.spec.ts': suite(1),
      'libs/l/src/c.spec.ts': suite(9),
    });
    const config = writeSuiteGroups(project, join(project, '.local/suites'));
    const { status, stderr } = jest('--config', config);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /1 failed, 2 passed, 3 total/);
    assert.match(stderr, /libs\/l\/src\/c\.spec\.ts › counts/);
    assert.match(stderr, /\(src\/c\.spec\.ts:3:\d+\)/);
  });

  it('are written anew', () => {
    const project = projectOf({ 'libs/l/jest.config.js': '', 'libs/l/a.spec.ts': '', 'jest.config.js': '' });
    const suites = join(project, '.local/suites');
    writeSuiteGroups(project, suites);
    const written = join(suites, 'libs/l/a.spec.js');
    assert.match(readFileSync(written, 'utf8'), /a\.spec\.ts/);
    rmSync(join(project, 'libs/l/a.spec.ts'));
    writeSuiteGroups(project, suites);
    assert.throws(() => readFileSync(written), /ENOENT/);
  });
});
