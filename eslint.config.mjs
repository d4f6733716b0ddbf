import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import js from '@eslint/js';
// Not the main entry: that one also looks for rules to compile in tools/eslint-rules, where this repository keeps plain
// modules, and prints a stack trace when it finds no tsconfig.json. boundaries.spec.mjs fails if this entry goes away.
import { enforceModuleBoundaries } from '@nx/eslint-plugin/internal';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import outcomes from './tools/eslint-rules/index.mjs';

const root = import.meta.dirname;

/** The projects that carry a tag, as file patterns: the tags in package.json stay the only list. */
const tagged = (tag) =>
  ['apps', 'libs']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((project) => existsSync(join(root, project, 'package.json')))
    .filter((project) =>
      JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8')).nx?.tags?.includes(tag),
    )
    .map((project) => `${project}/**/*.{ts,tsx}`);

const specs = ['**/*.{spec,int-spec,e2e-spec}.{ts,tsx}'];
const tools = ['tools/**/*.ts'];
/** Specs and what stands beside them only for their sake, and the tools, which test too. */
const tests = [...specs, '{apps,libs}/*/test/**/*.{ts,tsx}', ...tools];
const typescript = ['**/*.{ts,tsx}'];
/** Where an app is put together: the only files that see tables and queues. */
const wiring = [
  'apps/*/src/**/*.{module,processor,sweep,schedule,config}.ts',
  'apps/*/src/**/main.ts',
  'apps/outcomes-cli/**/*.ts',
];
/** The files of an app in which an error must come from the catalogue. */
const edges = [
  'apps/*/src/**/*.{controller,service,guard,interceptor,processor,sweep,schedule,tool,resource,prompt}.ts',
];
/**
 * Repositories, and texts that they assemble; the schema with its protection, and the module that every statement goes
 * through; test support; and what the command line does as the owner of the database, which no scope restricts.
 */
const sqlFiles = [
  '**/*.repository.ts',
  '**/*-sql.ts',
  'libs/persistence/src/{database,migrations,packing,protection,schema}/**',
  'libs/tenancy/src/**',
  'libs/testing/**',
  'libs/*/src/testing/**',
  'apps/outcomes-cli/src/{backup,company,doctor}/**',
  'apps/outcomes-cli/src/installation/{migrate-installation,record-as-owner}.ts',
];
const pure = [...tagged('type:pure'), ...tagged('type:contract')];

// --- Walls between projects -----------------------------------------------------------------------------------
const types = {
  app: ['feature', 'data', 'pure', 'platform', 'contract', 'client'],
  feature: ['feature', 'data', 'pure', 'platform', 'contract'],
  data: ['data', 'platform', 'contract'],
  platform: ['platform', 'contract'],
  pure: ['pure'],
  contract: ['contract'],
  // Goes out to others as a package: nothing beside it.
  client: [],
  testing: [],
};
const scopes = { server: ['server', 'shared'], browser: ['browser', 'shared'], shared: ['shared'] };
/** Types whose tests may lean on type:testing, which needs a server: `pure` and `contract` do no I/O in tests either. */
const testedWithServices = ['app', 'feature', 'data', 'platform', 'client'];
const externals = {
  pure: { bannedExternalImports: ['@nestjs/*', 'typeorm', 'bullmq', 'ioredis', 'pg'] },
  contract: { allowedExternalImports: [] },
  client: { allowedExternalImports: [] },
};

const boundaries = ({ inTests = false, appsMayWire = true }) => {
  const allowed = (type) => [
    ...types[type].filter((target) => appsMayWire || type !== 'app' || target !== 'data'),
    ...(inTests && testedWithServices.includes(type) ? ['testing'] : []),
  ];
  const tag = (dimension, names) => names.map((name) => `${dimension}:${name}`);
  const options = {
    enforceBuildableLibDependency: true,
    // Hoisting hides a missing dependency until an image is installed without it.
    banTransitiveDependencies: true,
    allow: [],
    // A command may import what another one loads only when it needs it: loaded-packages.e2e-spec.ts holds what each loads.
    checkDynamicDependenciesExceptions: ['@outcomes/**'],
    depConstraints: [
      ...Object.keys(types).map((type) => ({
        sourceTag: `type:${type}`,
        onlyDependOnLibsWithTags: tag('type', allowed(type)),
        ...(inTests ? {} : externals[type]),
      })),
      ...Object.entries(scopes).map(([scope, targets]) => ({
        sourceTag: `scope:${scope}`,
        onlyDependOnLibsWithTags: tag('scope', targets),
      })),
    ],
  };
  return { '@nx/enforce-module-boundaries': ['error', options] };
};

// --- Bans of a single expression ------------------------------------------------------------------------------
// A rule that is set twice keeps the last list only, so the lists are put together here.
const environment = [
  { object: 'process', property: 'env', message: 'Only *.config.ts reads the environment.' },
  ...['globalThis', 'global'].map((object) => ({
    object,
    property: 'process',
    message: 'Use the global process.',
  })),
];
const importedEnvironment = {
  selector: 'ImportDeclaration[source.value=/^(node:)?process$/]',
  message: 'Use the global process; only *.config.ts reads its environment.',
};
const plainError = {
  selector:
    ':matches(NewExpression, CallExpression)[callee.name=/^(Error|TypeError|RangeError|AggregateError)$/]',
  message: 'Throw an AppError with a code of the catalogue.',
};
const nestException = {
  regex: '^@nestjs/(common|core|microservices)$',
  importNamePattern: 'Exception$',
  message: 'Throw an AppError with a code of the catalogue: one filter writes HTTP.',
};
const randomness = { object: 'Math', property: 'random', message: 'Randomness is passed in as rng.' };
const clocks = [
  { object: 'Date', property: 'now', message: 'Time is passed in.' },
  { object: 'performance', property: 'now', message: 'Time is passed in.' },
];
const clock = {
  selector:
    ':matches(NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"])',
  message: 'Time is passed in.',
};
/** What the language leaves to the engine differs between engines in the last bit; these it defines to the last one. */
const exactMath =
  'name=/^(abs|ceil|floor|imul|max|min|round|sign|sqrt|trunc|random|E|LN2|LN10|PI|SQRT2|SQRT1_2)$/';
const inexactMath = [
  {
    selector: `MemberExpression[object.name="Math"]:not([property.${exactMath}])`,
    message: 'Engines differ in its last bit: take exp, expm1, log, log1p of numerics.',
  },
  {
    selector: ':not(MemberExpression) > Identifier[name="Math"]',
    message: 'Name the function, so that lint sees which it is.',
  },
  {
    selector: ':matches(BinaryExpression[operator="**"], AssignmentExpression[operator="**="])',
    message: 'Engines differ in its last bit: multiply, or take square, exp and log of numerics.',
  },
];
const testFunction = 'name=/^(describe|it|test)$/';
const partOfTheSuite = [
  {
    selector: `MemberExpression:matches([object.${testFunction}], [object.object.${testFunction}])[property.name=/^(only|skip|todo|skipIf|failing)$/]`,
    message: 'The whole suite runs, always.',
  },
  {
    selector: 'Identifier[name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
    message: 'The whole suite runs, always.',
  },
];

const lines = (max) => ['error', { max, skipBlankLines: false, skipComments: false }];

export default defineConfig(
  {
    ignores: [
      '**/dist',
      '**/bundle',
      '**/.stryker-tmp',
      'apps/console/page',
      // Frozen as they were made.
      'libs/statistics/engines',
      '**/out-tsc',
      '**/coverage',
      '**/node_modules',
      '.nx',
      '.local',
    ],
  },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      // noInlineConfig already makes these comments powerless; here they become findings.
      'no-warning-comments': [
        'error',
        { terms: ['eslint-disable', 'eslint-enable', 'eslint-env', '@ts-nocheck'], location: 'anywhere' },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },

  // --- All TypeScript ---
  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': { rules: { 'enforce-module-boundaries': enforceModuleBoundaries } }, outcomes },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      ...boundaries({}),
      'outcomes/file-name-role': 'error',
      'outcomes/thin-controller': 'error',
      'outcomes/guarded-handler': 'error',
      'no-restricted-properties': ['error', ...environment],
      'no-restricted-syntax': ['error', importedEnvironment],
      'max-lines': lines(300),
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: ['libs/client/src/generated/*.ts'], rules: { 'max-lines': 'off' } },
  { files: ['**/*.repository.ts'], rules: { 'outcomes/scoped-repository': 'error' } },
  { files: typescript, ignores: [...sqlFiles, ...tests], rules: { 'outcomes/sql-in-repository': 'error' } },

  // --- Apps: thin ---
  {
    files: ['apps/**/*.{ts,tsx}'],
    rules: {
      ...boundaries({ appsMayWire: false }),
      'outcomes/guarded-handler': ['error', { byPipeline: true }],
      'outcomes/file-name-role': ['error', { roleless: 'entry-points' }],
      'max-lines': lines(150),
    },
  },
  { files: wiring, rules: boundaries({}) },
  // The command line is a program, not an edge: what it does stands in its own folders.
  {
    files: ['apps/outcomes-cli/**/*.ts'],
    rules: { 'outcomes/file-name-role': ['error', { roleless: 'any' }], 'max-lines': lines(300) },
  },

  // --- Errors from one table ---
  {
    files: [...tagged('type:feature'), ...edges],
    ignores: tests,
    rules: {
      'no-restricted-imports': ['error', { patterns: [nestException] }],
      'no-restricted-syntax': ['error', importedEnvironment, plainError],
    },
  },

  // --- Doors with a list of keyholders ---
  {
    files: typescript,
    ignores: [
      'libs/accounts/**',
      'libs/auth/**',
      'libs/analysis/**',
      'libs/ingestion/**',
      'libs/tenancy/**',
      'apps/outcomes-cli/**',
      ...tests,
    ],
    rules: { 'outcomes/minting-import': 'error' },
  },
  {
    files: typescript,
    ignores: ['**/*.repository.ts', 'libs/tenancy/**', ...tests],
    rules: { 'outcomes/system-import': 'error' },
  },
  {
    // The quickstart of the command line draws its outcomes from the synthetic generator of the statistics, and the
    // acceptance lines of the analysis their companies of known truth.
    files: typescript,
    ignores: ['apps/outcomes-cli/**', 'libs/analysis/src/verify/**', ...tests],
    rules: { 'outcomes/testing-import': 'error' },
  },

  // --- Pure libs: no I/O, no clock, no chance ---
  { files: pure, ignores: tests, rules: { 'outcomes/builtin-import': 'error' } },
  {
    files: tagged('type:pure'),
    rules: {
      'no-restricted-properties': ['error', ...environment, ...clocks, randomness],
      'no-restricted-syntax': ['error', importedEnvironment, clock],
      // Published constants keep every digit that the reference prints, so that a reader can compare them.
      'no-loss-of-precision': 'off',
      'no-restricted-globals': [
        'error',
        'process',
        'crypto',
        'performance',
        'fetch',
        'setTimeout',
        'setInterval',
      ],
    },
  },

  {
    // A decision replays to the same bytes on every engine.
    files: ['libs/statistics/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', importedEnvironment, clock, ...inexactMath] },
  },

  { files: ['**/*.config.ts'], rules: { 'no-restricted-properties': 'off' } },

  // --- Tests ---
  {
    files: tests,
    rules: {
      ...boundaries({ inTests: true }),
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...partOfTheSuite],
      // Bodies of responses and mocks are untyped; their shape is what the test asserts.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: [...specs, ...tools], rules: { 'max-lines': 'off' } },
  {
    files: tools,
    rules: {
      // What services and other programs print has no type.
      '@typescript-eslint/no-explicit-any': 'off',
      // node:test itself waits for them.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['describe', 'it'] }] },
      ],
    },
  },
  // Compiled beside the packed client, as its users write it.
  { files: ['libs/client/test/published-types.ts'], rules: { '@nx/enforce-module-boundaries': 'off' } },
  {
    // A test of numbers that draws its own luck cannot be repeated.
    files: tagged('type:pure').flatMap((project) => tests.map((test) => [project, test])),
    rules: { 'no-restricted-properties': ['error', randomness] },
  },

  // --- Tools in TypeScript: programs beside the workspace, with databases of their own ---
  {
    files: ['tools/**/*.ts'],
    rules: {
      'outcomes/sql-in-repository': 'off',
      'no-restricted-properties': 'off',
      // Of node:test, which waits for them itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['describe', 'it'] }] },
      ],
    },
  },

  // --- JavaScript: tools and configuration ---
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'AbortController',
          'AbortSignal',
          'Buffer',
          'clearInterval',
          'clearTimeout',
          'console',
          'fetch',
          'performance',
          'process',
          'setImmediate',
          'setInterval',
          'setTimeout',
          'structuredClone',
          'TextDecoder',
          'TextEncoder',
          'URL',
          'URLSearchParams',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.{js,cjs}'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', require: 'readonly', __dirname: 'readonly', __filename: 'readonly' },
    },
  },
  {
    files: ['apps/console-web/public/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        ['addEventListener', 'document', 'HTMLScriptElement', 'location'].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
