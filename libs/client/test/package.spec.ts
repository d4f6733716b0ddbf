import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../..');
const CLIENT = join(__dirname, '..');
const MAX_BYTES = 8_192;

/** What others get: packed, and unpacked as npm lays it out. */
describe('the package', () => {
  let folder: string;
  const own = () => join(folder, 'node_modules/@outcomes/client');
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-client-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLIENT });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    mkdirSync(own(), { recursive: true });
    await run('tar', ['-xzf', join(folder, filename), '-C', own(), '--strip-components=1']);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('needs nothing beside it, and has neither sources nor tests', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(own(), 'package.json'), 'utf8'));
    expect([dependencies ?? {}, peerDependencies ?? {}]).toEqual([{}, {}]);
    expect(
      ['dist/index.js', 'dist/index.d.ts', 'README.md', 'src', 'test'].map((name) =>
        existsSync(join(own(), name)),
      ),
    ).toEqual([true, true, true, false, false]);
  });

  it('is at most 8 KB, minified and gzipped', () => {
    const { outputFiles } = buildSync({
      ...{ entryPoints: [join(own(), 'dist/index.js')], bundle: true, minify: true, format: 'esm' },
      ...{ target: 'es2022', platform: 'browser', write: false },
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    process.stdout.write(`  @outcomes/client: ${bytes} bytes minified and gzipped; ${MAX_BYTES} at most\n`);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('is called by those who import it and those who require it', async () => {
    const say = 'console.log(typeof OutcomesClient)';
    writeFileSync(join(folder, 'a.mjs'), `import { OutcomesClient } from '@outcomes/client'; ${say}`);
    writeFileSync(join(folder, 'a.cjs'), `const { OutcomesClient } = require('@outcomes/client'); ${say}`);
    for (const name of ['a.mjs', 'a.cjs']) {
      expect((await run(process.execPath, [name], { cwd: folder })).stdout).toBe('function\n');
    }
  });

  /** The lines that the compiler says of each module: of all at once, for it takes a second to begin. */
  const compile = async (sources: Readonly<Record<string, string>>, ...options: string[]) => {
    const names = Object.keys(sources);
    for (const name of names) writeFileSync(join(folder, name), sources[name] ?? '');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const said = await run(process.execPath, [tsc, ...strict, ...options, ...names], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    const lines = said.split('\n').filter((line) => /^\S/.test(line));
    const of = (name: string) => lines.filter((line) => line.startsWith(`${name}(`));
    // What is said of no module is a fault of all of them.
    const others = lines.filter((line) => !names.some((name) => line.startsWith(`${name}(`)));
    return Object.fromEntries(names.map((name) => [name, [...of(name), ...others]]));
  };
  const browser = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'];
  const typeRoots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
  const node = ['--module', 'nodenext', '--lib', 'es2022', '--types', 'node', '--skipLibCheck', ...typeRoots];
  const use = readFileSync(join(__dirname, 'published-types.ts'), 'utf8');

  it.each([
    ['in browsers', browser],
    ['in Node', node],
  ])(
    'has types that say what the services take and answer, and does what its README shows, %s',
    async (_where, options) => {
      const readme = readFileSync(join(own(), 'README.md'), 'utf8');
      const [, shown = 'nothing'] = /```ts\n([^`]+)```/.exec(readme) ?? [];
      // What is marked as wrong in there is found, and not only let pass.
      const faulty = use.replaceAll('// @ts-expect-error', '//');
      const said = await compile({ 'use.ts': use, 'shown.ts': shown, 'faulty.ts': faulty }, ...options);
      expect(said).toMatchObject({ 'use.ts': [], 'shown.ts': [] });
      expect(said['faulty.ts']?.every((line) => /^faulty\.ts\(\d+,\d+\): error TS/.test(line))).toBe(true);
      expect(said['faulty.ts']).toHaveLength(use.match(/@ts-expect-error/g)?.length ?? 0);
    },
    60_000,
  );

  it('has the types of the API descriptions as they are today', async () => {
    await run(process.execPath, [join(CLIENT, 'generate.mjs'), '--check']);
  }, 30_000);
});
