// Not type-checked (tools/tsconfig.json): Stryker, whose types these are, is installed by verify-mutation.ts alone.
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { isDrawn } from './sample.ts';

const { sample, seed } = JSON.parse(process.env['MUTATION'] ?? '{}');

/** Passes the mutants that are drawn. Stryker counts those that a checker rejects neither as found nor as survived. */
const sampleChecker = {
  init: () => Promise.resolve(),
  /** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
  check: (mutants) =>
    Promise.resolve(
      Object.fromEntries(
        mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
          const file = fileName.replaceAll('\\', '/').replace(/^.*\/(?=src\/)/, '');
          // Checkers count lines and columns from 0, reports from 1.
          const place = { line: location.start.line + 1, column: location.start.column + 1 };
          return isDrawn({ file, ...place, mutatorName, replacement }, sample, seed)
            ? [id, { status: CheckStatus.Passed }]
            : [id, { status: CheckStatus.CompileError, reason: 'not in the sample' }];
        }),
      ),
    ),
  // One call for all: each is only a hash.
  /** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
  group: (mutants) => Promise.resolve([mutants.map(({ id }) => id)]),
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Checker, 'sample', sampleChecker)];
