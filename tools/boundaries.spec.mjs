// Every boundary of the repository is tested: a violation is planted, and the lint must report it; the same text
// without the violation must pass. Texts are linted under a path and never written, so nothing is left behind.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { workspaceRoot } from './eslint-rules/workspace-path.mjs';

const boundaries = '@nx/enforce-module-boundaries';
/** @param {string} path */
const read = (path) => readFileSync(join(workspaceRoot, path), 'utf8');
const projects = ['apps', 'libs']
  .flatMap((folder) => readdirSync(join(workspaceRoot, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => existsSync(join(workspaceRoot, path, 'package.json')))
  .map((path) => ({ path, manifest: JSON.parse(read(`${path}/package.json`)) }));

// Nx judges imports by a project graph it has stored. These tests make their own, so that neither a stale graph
// decides nor is the stored one disturbed.
const graphFolder = mkdtempSync(join(tmpdir(), 'boundaries-'));
process.env.NX_WORKSPACE_DATA_DIRECTORY = graphFolder;
process.env.NX_DAEMON = 'false';

const eslint = new ESLint({ cwd: workspaceRoot });
/** Without types: a text under a path that does not exist belongs to no TypeScript project. */
const untyped = new ESLint({
  cwd: workspaceRoot,
  overrideConfig: [{ files: ['**/*.{ts,tsx}'], ...tseslint.configs.disableTypeChecked }],
});
/** @param {string} file @param {string} text */
const lint = async (file, text, linter = untyped) => {
  const [result] = await linter.lintText(text, { filePath: join(workspaceRoot, file) });
  assert.ok(result);
  return result.messages.map(({ ruleId, message }) => ({ ruleId, message }));
};

before(async () => {
  const { createProjectGraphAsync } = (await import('@nx/devkit')).default;
  await createProjectGraphAsync({ exitOnError: false });
});
after(() => rmSync(graphFolder, { recursive: true, force: true }));

/**
 * `fault` must be found by `rule` in `file`; `sound`, the same without the fault, must pass every rule.
 * @type {{ title: string, rule: string, file: string, fault: string, soundFile?: string, sound: string }[]}
 */
const boundaryCases = [
  {
    title: 'statistics does not reach the database',
    rule: boundaries,
    file: 'libs/statistics/src/planted.ts',
    fault: "export { DataSource } from '@outcomes/persistence';\n",
    sound: "export { Matrix } from 'ml-matrix';\n",
  },
  ...['@nestjs/common', 'typeorm', 'bullmq', 'ioredis', 'pg'].map((name) => ({
    title: `statistics does not know ${name}`,
    rule: boundaries,
    file: 'libs/statistics/src/planted.ts',
    fault: `export * from '${name}';\n`,
    sound: "export * from 'ml-matrix';\n",
  })),
  ...['read-model', 'auth', 'platform'].map((name) => ({
    title: `a browser does not see ${name}`,
    rule: boundaries,
    file: 'apps/console-web/src/planted.page.tsx',
    fault: `export * from '@outcomes/${name}';\n`,
    sound:
      "export { ROLES } from '@outcomes/contracts';\nexport { betaQuantile } from '@outcomes/statistics';\n",
  })),
  {
    title: 'statistics does no I/O',
    rule: 'outcomes/builtin-import',
    file: 'libs/statistics/src/planted.ts',
    fault: "export { readFileSync } from 'node:fs';\n",
    sound: "export { betaInterval } from './beta-interval';\n",
  },
  {
    title: 'statistics draws no luck of its own',
    rule: 'no-restricted-properties',
    file: 'libs/statistics/src/planted.ts',
    fault: 'export const draw = (): number => Math.random();\n',
    sound: 'export const draw = (rng: () => number): number => rng();\n',
  },
  ...['Date.now()', 'new Date().getTime()'].map((now) => ({
    title: `statistics has no clock: ${now}`,
    rule: now.startsWith('new') ? 'no-restricted-syntax' : 'no-restricted-properties',
    file: 'libs/statistics/src/planted.ts',
    fault: `export const age = (at: number): number => ${now} - at;\n`,
    sound: 'export const age = (at: number, now: number): number => new Date(now).getTime() - at;\n',
  })),
  ...['Math.exp(x)', 'Math.pow(x, 2)', 'Math.tanh(x)', "Math['log'](x)", 'x ** 2', 'power(Math, x)'].map(
    (inexact) => ({
      title: `statistics leaves no last bit to the engine: ${inexact}`,
      rule: 'no-restricted-syntax',
      file: 'libs/statistics/src/planted.ts',
      fault: `export const value = (x: number): number => ${inexact};\n`,
      sound: 'export const value = (x: number): number => Math.sqrt(Math.abs(x)) * x;\n',
    }),
  ),
  {
    title: 'contracts use no package',
    rule: boundaries,
    file: 'libs/contracts/src/planted.ts',
    fault: "export * from 'ajv';\n",
    sound: "export * from './errors/catalogue';\n",
  },
  {
    title: 'auth does not import an app by its name',
    rule: boundaries,
    file: 'libs/auth/src/planted.ts',
    fault: "export { bootstrap } from '@outcomes/read-api';\n",
    sound: "export { AppError } from '@outcomes/contracts';\n",
  },
  {
    title: 'auth does not import an app by its path',
    rule: boundaries,
    file: 'libs/auth/src/planted.ts',
    fault: "export { bootstrap } from '../../../apps/read-api/src/main';\n",
    sound: "export { bootstrap } from './bootstrap';\n",
  },
  {
    title: 'a lib is entered by its front door',
    rule: boundaries,
    file: 'libs/auth/src/planted.ts',
    fault: "export { AppError } from '@outcomes/contracts/src/errors/app-error';\n",
    sound: "export { AppError } from '@outcomes/contracts';\n",
  },
  {
    title: 'a package that is not declared is not imported',
    rule: boundaries,
    file: 'libs/audit/src/planted.ts',
    fault: "export { Queue } from 'bullmq';\n",
    sound: "export { Module } from '@nestjs/common';\n",
  },
  {
    title: 'a controller does not see the database',
    rule: boundaries,
    file: 'apps/read-api/src/planted.controller.ts',
    fault: "export { DataSource } from '@outcomes/persistence';\n",
    soundFile: 'apps/outcomes-cli/src/planted.command.ts',
    sound: "export { DataSource } from '@outcomes/persistence';\n",
  },
  {
    title: 'the database is wired in a module',
    rule: boundaries,
    file: 'apps/read-api/src/planted.module.ts',
    fault: "export { database } from '@outcomes/testing';\n",
    sound: "export { DataSource } from '@outcomes/persistence';\n",
  },
  {
    title: 'test support stays in tests',
    rule: 'outcomes/testing-import',
    file: 'libs/auth/src/planted.service.ts',
    fault: "export { database } from '@outcomes/testing';\n",
    sound: "export { DataSource } from '@outcomes/persistence';\n",
  },
  {
    title: 'scopes are minted by few',
    rule: 'outcomes/minting-import',
    file: 'libs/read-model/src/planted.service.ts',
    fault: "export { mintTenantScope } from '@outcomes/tenancy/mint';\n",
    soundFile: 'libs/auth/src/planted.service.ts',
    sound: "export { mintTenantScope } from '@outcomes/tenancy/mint';\n",
  },
  {
    title: 'only a repository mints a system scope',
    rule: 'outcomes/system-import',
    file: 'libs/auth/src/planted.service.ts',
    fault: "export { mintSystemScope } from '@outcomes/tenancy/system';\n",
    soundFile: 'libs/auth/src/planted.repository.ts',
    sound: "export { mintSystemScope } from '@outcomes/tenancy/system';\n",
  },
  {
    title: 'minting tenant scopes does not permit system scopes',
    rule: 'outcomes/system-import',
    file: 'apps/outcomes-cli/src/planted.ts',
    fault: "export type { SystemScope } from '@outcomes/tenancy/system';\n",
    sound: "export { mintTenantScope } from '@outcomes/tenancy/mint';\n",
  },
  ...[
    'libs/auth/src/planted.service.ts',
    'libs/analysis/src/planted.ts',
    'apps/read-api/src/planted.module.ts',
  ].map((file) => ({
    title: `SQL belongs in repositories: not in ${file}`,
    rule: 'outcomes/sql-in-repository',
    file,
    fault: "export const text = 'SELECT company_id FROM companies';\n",
    soundFile: 'libs/auth/src/planted.repository.ts',
    sound: "export const text = 'SELECT company_id FROM companies';\n",
  })),
  {
    title: 'a handler is guarded',
    rule: 'outcomes/guarded-handler',
    file: 'apps/read-api/src/planted.controller.ts',
    fault: controller('list() { return this.patterns.list(); }'),
    sound: controller("@RequirePermission('patterns:read') list() { return this.patterns.list(); }"),
  },
  {
    title: 'a route stands on a controller',
    rule: 'outcomes/guarded-handler',
    file: 'apps/read-api/src/planted.service.ts',
    fault: "export const route = { method: 'GET', path: '/a', answer: () => Promise.resolve() };\n",
    sound: "export const row = { method: 'GET', path: '/a' };\n",
  },
  {
    title: 'a handler is one statement',
    rule: 'outcomes/thin-controller',
    file: 'apps/read-api/src/planted.controller.ts',
    fault: controller('@Public() list() { const rows = this.patterns.list(); return rows; }'),
    sound: controller('@Public() list() { return this.patterns.list(); }'),
  },
  {
    title: 'a service does not read the environment',
    rule: 'no-restricted-properties',
    file: 'libs/auth/src/planted.service.ts',
    fault: 'export const pepper = (): string | undefined => process.env.PEPPER;\n',
    sound: 'export const pepper = (config: { pepper: string }): string => config.pepper;\n',
  },
  {
    title: 'a service does not read the environment by a detour',
    rule: 'no-restricted-syntax',
    file: 'libs/auth/src/planted.service.ts',
    fault: "import { env } from 'node:process';\nexport const pepper = env.PEPPER;\n",
    sound: "import { createHash } from 'node:crypto';\nexport const hash = createHash('sha256');\n",
  },
  {
    title: 'a file says what is inside',
    rule: 'outcomes/file-name-role',
    file: 'libs/auth/src/utils.ts',
    fault: 'export const one = 1;\n',
    soundFile: 'libs/auth/src/key-format.ts',
    sound: 'export const one = 1;\n',
  },
  {
    title: 'logic does not settle in an app',
    rule: 'outcomes/file-name-role',
    file: 'apps/read-api/src/pattern-arithmetic.ts',
    fault: 'export const one = 1;\n',
    soundFile: 'libs/read-model/src/pattern-arithmetic.ts',
    sound: 'export const one = 1;\n',
  },
  ...['libs/auth/src/index.ts', 'apps/mcp-gateway/src/tools/index.ts'].map((file) => ({
    title: `logic does not settle in ${file}`,
    rule: 'outcomes/file-name-role',
    file,
    fault: "import { one } from './one';\nexport const two = one + 1;\n",
    sound: "export { one } from './one';\n",
  })),
  {
    title: 'a repository takes its scope first',
    rule: 'outcomes/scoped-repository',
    file: 'libs/auth/src/planted.repository.ts',
    fault: 'export class Keys { find(id: string): string { return id; } }\n',
    sound:
      "import type { TenantScope } from '@outcomes/tenancy';\nexport class Keys { find(scope: TenantScope): TenantScope { return scope; } }\n",
  },
  {
    title: 'a repository without a scope mints one',
    rule: 'outcomes/scoped-repository',
    file: 'libs/auth/src/planted.repository.ts',
    fault: 'export class Keys { all(): string[] { return []; } }\n',
    sound:
      "import { mintSystemScope, type SystemScope } from '@outcomes/tenancy/system';\nexport class Keys { all(): SystemScope { return mintSystemScope(); } }\n",
  },
  {
    title: 'a feature throws from the catalogue',
    rule: 'no-restricted-syntax',
    file: 'libs/limits/src/planted.service.ts',
    fault: "export const fail = (): never => { throw new Error('no'); };\n",
    sound:
      "import { AppError } from '@outcomes/contracts';\nexport const fail = (): never => { throw new AppError('internal_error'); };\n",
  },
  {
    title: 'a feature knows no HTTP exception',
    rule: 'no-restricted-imports',
    file: 'libs/limits/src/planted.service.ts',
    fault: "export { NotFoundException } from '@nestjs/common';\n",
    sound: "export { Injectable } from '@nestjs/common';\n",
  },
  {
    title: 'the edge of an app knows no HTTP exception',
    rule: 'no-restricted-imports',
    file: 'apps/read-api/src/planted.guard.ts',
    fault: "export { UnauthorizedException } from '@nestjs/common';\n",
    sound: "export { Injectable } from '@nestjs/common';\n",
  },
  ...Object.entries({
    'libs/auth/src/planted.ts': 301,
    'apps/read-api/src/planted.service.ts': 151,
  }).map(([file, count]) => ({
    title: `${file.split('/')[0]} stay short, blank lines and comments included`,
    rule: 'max-lines',
    file,
    fault: `${'//\n'.repeat(count - 2)}\nexport {};`,
    sound: `${'//\n'.repeat(count - 3)}\nexport {};`,
  })),
  {
    title: 'nothing is any',
    rule: '@typescript-eslint/no-explicit-any',
    file: 'libs/persistence/src/planted.ts',
    fault: 'export const row = (value: any): unknown => value;\n',
    sound: 'export const row = (value: unknown): unknown => value;\n',
  },
  {
    title: 'the lint is not switched off',
    rule: 'no-warning-comments',
    file: 'libs/auth/src/planted.ts',
    fault: '// eslint-disable-next-line no-var\nexport const one = 1;\n',
    sound: '// One is one.\nexport const one = 1;\n',
  },
  {
    title: 'a comment that switches the lint off has no power',
    rule: 'no-var',
    file: 'libs/auth/src/planted.ts',
    fault: '/* eslint-disable */\nexport var one = 1;\n',
    sound: 'export const one = 1;\n',
  },
  ...['it.only', 'it.skip', 'describe.only', 'describe.skip', 'it.only.each([1])', 'xit', 'fdescribe'].map(
    (call) => ({
      title: `the whole suite runs: ${call}`,
      rule: 'no-restricted-syntax',
      file: 'libs/auth/src/planted.spec.ts',
      fault: `${call}('states a guarantee', () => {});\n`,
      sound: "it.each([1])('states a guarantee', () => {});\n",
    }),
  ),
];

/** @param {string} handler */
function controller(handler) {
  return `import { Controller, Get } from '@nestjs/common';
import { Public, RequirePermission } from '@outcomes/auth';
export const permissions = [Public, RequirePermission];
@Controller('planted')
export class PlantedController {
  constructor(private readonly patterns: { list(): string[] }) {}
  @Get() ${handler}
}
`;
}

describe('the boundaries', () => {
  for (const { title, rule, file, fault, sound, soundFile = file } of boundaryCases) {
    it(title, async () => {
      const rules = (await lint(file, fault)).map(({ ruleId }) => ruleId);
      assert.ok(
        rules.includes(rule),
        `${rule} did not find the fault; found: ${rules.join(', ') || 'nothing'}`,
      );
      assert.deepEqual(await lint(soundFile, sound), []);
    });
  }

  it('a test may lean on test support and read the environment', async () => {
    const text =
      "import { database } from '@outcomes/testing';\nexport const url = [database, process.env.DATABASE_URL];\n";
    assert.deepEqual(await lint('libs/auth/src/planted.int-spec.ts', text), []);
  });

  it('a config file reads the environment', async () => {
    const text = 'export const url = process.env.DATABASE_URL;\n';
    assert.deepEqual(await lint('apps/read-api/src/read-api.config.ts', text), []);
  });

  it('the lint knows types: a promise nobody awaits is found', async () => {
    // This file exists, so it belongs to a TypeScript project; its text here is another.
    /** @param {string} text */
    const rules = (text) => lint('libs/contracts/src/errors/app-error.ts', text, eslint);
    const [found] = await rules(
      'const later = (): Promise<void> => Promise.resolve();\nlater();\nexport {};\n',
    );
    assert.equal(found?.ruleId, '@typescript-eslint/no-floating-promises');
    assert.deepEqual(
      await rules('const later = (): Promise<void> => Promise.resolve();\nvoid later();\nexport {};\n'),
      [],
    );
  });
});

describe('constraints', () => {
  const files = [
    'libs/auth/src/planted.ts',
    'libs/auth/src/planted.spec.ts',
    'apps/read-api/src/planted.controller.ts',
    'apps/read-api/src/planted.module.ts',
  ];
  for (const file of files) {
    it(`binds every tag and leaves nothing to a star in ${file}`, async () => {
      const { rules } = await eslint.calculateConfigForFile(join(workspaceRoot, file));
      const [severity, { depConstraints, allow }] = rules[boundaries];
      /** @type {{ sourceTag: string, onlyDependOnLibsWithTags: string[] }[]} */
      const constraints = depConstraints;
      assert.equal(severity, 2);
      assert.deepEqual(allow, []);
      assert.ok(
        !JSON.stringify(constraints.map((one) => [one.sourceTag, one.onlyDependOnLibsWithTags])).includes(
          '*',
        ),
      );
      const bound = constraints.map(({ sourceTag }) => sourceTag);
      for (const { manifest } of projects) {
        for (const tag of manifest.nx.tags)
          assert.ok(bound.includes(tag), `${tag} of ${manifest.name} binds nothing`);
      }
    });
  }
});

describe('projects', () => {
  for (const { path, manifest } of projects) {
    it(`${path} is tagged once by type and once by scope, and is linted`, () => {
      const dimensions = (manifest.nx?.tags ?? [])
        .map((/** @type {string} */ tag) => tag.split(':')[0])
        .sort();
      assert.deepEqual(dimensions, ['scope', 'type']);
      assert.equal(manifest.scripts?.lint, 'eslint .');
    });

    it(`${path} says in its README what it may import`, () => {
      const [, section] = read(`${path}/README.md`).split(/^#+ May import\b.*$/m);
      assert.ok(section, `${path}/README.md has no heading "May import"`);
      const [list = ''] = section.split(/^#/m);
      const siblings = Object.keys(manifest.dependencies ?? {}).filter((name) =>
        name.startsWith('@outcomes/'),
      );
      const missing = siblings.filter((name) => !new RegExp(`\\b${name.split('/')[1]}\\b`).test(list));
      assert.deepEqual(missing, [], `${path}/README.md does not list these`);
    });
  }
});
