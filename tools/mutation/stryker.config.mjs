// @ts-check
import { join } from 'node:path';
import { libs } from './libs.ts';

/** @type {{ lib: string, report: string, directory: string, mutate: string[], without: string[], fresh: boolean, concurrency: number, sample: number }} */
const { lib, report, directory, mutate, without, fresh, concurrency, sample } = JSON.parse(
  process.env['MUTATION'] ?? '{}',
);
const { leaveAway, tests } = libs[lib] ?? { leaveAway: [] };

/** Stryker runs in the folder of the lib. */
export default {
  testRunner: 'mocha',
  plugins: [
    '@stryker-mutator/mocha-runner',
    ...['ignored-code.mjs', 'sample-checker.mjs'].map((file) => join(import.meta.dirname, file)),
  ],
  ignorers: ['ignored-code'],
  checkers: sample < 1 ? ['sample'] : [],
  mutate: [
    ...(mutate.length > 0 ? mutate : ['src/**/*.ts']),
    ...['!src/**/*spec.ts', '!src/**/*.fixture.ts', '!src/**/*.module.ts', '!src/**/index.ts'],
    ...leaveAway.map((pattern) => `!${pattern}`),
  ],
  mochaOptions: {
    require: [join(import.meta.dirname, 'jest-api.cjs')],
    extension: ['ts'],
    // Those that need no database first: a mutant that one of them finds costs no database.
    spec: ['src/**/*.spec.ts', 'src/**/*-spec.ts'],
    ignore: [...(tests?.leaveAway ?? []), ...without],
    'no-config': true,
  },
  coverageAnalysis: 'perTest',
  concurrency,
  // What a mutant leaves behind in its process must not find the next ones.
  maxTestRunnerReuse: 50,
  timeoutMS: 10_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  // Keeps what is known of the rest of the lib where only a part is tested; of a sample nothing is known of the rest.
  incremental: without.length === 0 && sample === 1,
  force: fresh,
  incrementalFile: join(directory, `${lib}.incremental.json`),
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', 'out-tsc', '.stryker-tmp'],
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: report },
  htmlReporter: { fileName: join(directory, `${lib}.html`) },
  disableTypeChecks: false,
  allowConsoleColors: false,
  allowEmpty: false,
  logLevel: 'warn',
};
