// Makes a lib or an app with this repository's configuration, and registers it in the root tsconfig files.
// Usage: node tools/run.mjs generators/project.ts <apps|libs>/<name> --type <tag> [--scope server|browser|shared]
//          [--workspace a,b] [--dep name@version,...]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    type: { type: 'string' },
    scope: { type: 'string', default: 'server' },
    workspace: { type: 'string', default: '' },
    dep: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
const [path = ''] = positionals;
if (values.help || !/^(apps|libs)\/[a-z][a-z0-9-]*$/.test(path) || !values.type) {
  console.error(
    'Usage: node tools/run.mjs generators/project.ts <apps|libs>/<name> --type <tag> [--scope server]',
  );
  process.exit(values.help ? 0 : 1);
}
if (existsSync(join(path, 'package.json'))) {
  console.error(`${path} exists already; edit it instead.`);
  process.exit(1);
}

const name = basename(path);
const isLib = path.startsWith('libs/');
const json = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
const workspace = values.workspace.split(',').filter(Boolean);
const external = values.dep
  .split(',')
  .filter(Boolean)
  .map((dep) => [dep.slice(0, dep.lastIndexOf('@')), dep.slice(dep.lastIndexOf('@') + 1)]);

mkdirSync(join(path, 'src'), { recursive: true });
json(join(path, 'package.json'), {
  name: `@outcomes/${name}`,
  version: '1.0.0',
  private: true,
  license: 'MIT',
  scripts: { build: 'tsc -b tsconfig.build.json', lint: 'eslint .' },
  nx: { tags: [`type:${values.type}`, `scope:${values.scope}`] },
  ...(isLib && {
    exports: {
      '.': { '@outcomes/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
  }),
  dependencies: Object.fromEntries(
    [...workspace.map((lib) => [`@outcomes/${lib}`, '1.0.0']), ...external].sort(),
  ),
});
const references = workspace.map((lib) => ({ path: `../../libs/${lib}/tsconfig.build.json` }));
json(join(path, 'tsconfig.build.json'), {
  extends: '../../tsconfig.base.json',
  compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/tsconfig.build.tsbuildinfo' },
  include: ['src/**/*.ts', 'src/**/*.json'],
  exclude: ['src/**/*.spec.ts', 'src/**/*.int-spec.ts', 'src/**/*.e2e-spec.ts'],
  references,
});
json(join(path, 'tsconfig.spec.json'), {
  extends: '../../tsconfig.base.json',
  compilerOptions: { rootDir: '.', outDir: 'out-tsc/spec', types: ['jest', 'node'] },
  include: ['src/**/*.spec.ts', 'src/**/*.int-spec.ts', 'src/**/*.e2e-spec.ts', 'test/**/*.ts'],
  references: [{ path: './tsconfig.build.json' }, ...references],
});
json(join(path, 'tsconfig.json'), {
  extends: '../../tsconfig.base.json',
  files: [],
  include: [],
  references: [{ path: './tsconfig.build.json' }, { path: './tsconfig.spec.json' }],
});
writeFileSync(
  join(path, 'jest.config.js'),
  `module.exports = { ...require('../../jest.preset'), displayName: '${name}', rootDir: __dirname };\n`,
);
writeFileSync(join(path, 'README.md'), `# ${name}\n`);
writeFileSync(join(path, 'src', isLib ? 'index.ts' : 'main.ts'), 'export {};\n');

for (const [file, project] of [
  ['tsconfig.json', path],
  ['tsconfig.build.json', `${path}/tsconfig.build.json`],
] as const) {
  const root: { references: { path: string }[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { files: [], references: [] };
  root.references.push({ path: project });
  root.references.sort((a, b) => a.path.localeCompare(b.path));
  json(file, root);
}
console.log(`${path} made. Next: write its README, then npm install so that npm links it.`);
