// @ts-check
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
/** Folders of what others wrote, or what was made of the sources. */
const NOT_OURS = new Set(['node_modules', 'dist', 'bundle', 'out-tsc', 'coverage']);

// Without Git, which a bare machine does not have.
const documents = globSync('**/*.md', { cwd: root, exclude: (path) => NOT_OURS.has(basename(path)) });

/** @param {string} file @returns {string} */
const read = (file) => readFileSync(join(root, file), 'utf8');

/** Without blocks of code, whose brackets and # are not Markdown. @param {string} file @returns {string} */
const proseOf = (file) => read(file).replace(/^ *```[^]*?^ *```/gm, '');

/** As GitHub makes them of headings. @param {string} file @returns {Set<string>} */
function anchorsOf(file) {
  const headings = proseOf(file).matchAll(/^#+ (.*)$/gm);
  const slug = (/** @type {string} */ text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  return new Set([...headings].map(([, text = '']) => slug(text)));
}

describe('the documents', () => {
  it('are all found', () => {
    for (const file of ['README.md', 'tools/README.md', 'libs/contracts/README.md', 'k8s/README.md'])
      assert.ok(documents.includes(file), file);
    assert.deepEqual(
      documents.filter((file) => file.includes('node_modules')),
      [],
    );
  });

  it('link to files and headings that exist', () => {
    const broken = documents.flatMap((file) =>
      [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return [];
        const [path = '', anchor] = target.split('#');
        const to = path === '' ? file : relative(root, join(root, dirname(file), path));
        if (!existsSync(join(root, to))) return [`${file}: ${target}`];
        if (anchor === undefined || statSync(join(root, to)).isDirectory()) return [];
        return anchorsOf(to).has(anchor) ? [] : [`${file}: ${target}`];
      }),
    );
    assert.deepEqual(broken, []);
  });

  it('name scripts that exist', () => {
    const missing = documents.flatMap((file) =>
      // Of old releases the log of changes names what they had.
      file === 'CHANGELOG.md'
        ? []
        : [...read(file).matchAll(/npm run\s+([\w:-]+)([^`\n|]*)/g)].flatMap(([, name = '', rest = '']) => {
            const [, workspace = '.'] = / -w (\S+)/.exec(rest) ?? [];
            const { scripts = {} } = JSON.parse(read(join(workspace, 'package.json')));
            return name in scripts ? [] : [`${file}: npm run ${name}${rest}`];
          }),
    );
    assert.deepEqual(missing, []);
  });

  it('call addresses of the read API that it describes', () => {
    const described = Object.keys(JSON.parse(read('apps/read-api/openapi.json')).paths);
    const called = [...read('README.md').matchAll(/localhost:3001\/v1(\/[\w/-]+)/g)].map(([, path]) => path);
    assert.ok(called.includes('/intelligence/recommendations'));
    for (const path of called) {
      if (path === '/docs' || path === '/openapi.json') continue;
      assert.ok(described.includes(path ?? ''), path);
    }
  });
});

describe('the answer that the README begins with', () => {
  it('is a part of the one in the committed description', () => {
    const [, block = ''] = /```json\n([^]*?)```/.exec(read('README.md')) ?? [];
    const { paths } = JSON.parse(read('apps/read-api/openapi.json'));
    const { example } =
      paths['/intelligence/recommendations'].get.responses['200'].content['application/json'];
    assert.deepEqual(partOf(example, JSON.parse(block)), JSON.parse(block));
  });
});

/**
 * What is left of a value when it is reduced to the fields and the length of another.
 * @param {any} whole
 * @param {any} part
 * @returns {any}
 */
function partOf(whole, part) {
  if (typeof whole !== 'object' || whole === null || typeof part !== 'object') return whole;
  if (Array.isArray(whole))
    return part.map((/** @type {any} */ item, /** @type {number} */ at) => partOf(whole[at], item));
  return Object.fromEntries(Object.keys(part).map((name) => [name, partOf(whole[name], part[name])]));
}
