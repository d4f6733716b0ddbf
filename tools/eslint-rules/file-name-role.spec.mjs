import rule from './file-name-role.mjs';
import { inWorkspace, ruleTester } from './rule-tester.mjs';

const code = 'export {};';
const entryPoints = [{ roleless: 'entry-points' }];
/** @param {string} path */
const lib = (path) => ({ name: path, code, filename: inWorkspace(path) });
/** @param {string} path @param {string} text */
const index = (path, text) => ({ ...lib(path), name: `${path}: ${text}`, code: text });
/** @param {string} path */
const app = (path) => ({ ...lib(path), options: entryPoints });
/** @param {import('eslint').RuleTester.ValidTestCase} file @param {...string} messageIds */
const fails = (file, ...messageIds) => ({ ...file, errors: messageIds.map((messageId) => ({ messageId })) });

ruleTester.run('file-name-role', rule, {
  valid: [
    lib('libs/statistics/src/beta-interval.ts'),
    lib('libs/statistics/src/beta-interval.spec.ts'),
    lib('libs/auth/src/api-key.service.ts'),
    lib('libs/auth/src/api-key.repository.int-spec.ts'),
    lib('libs/audit/src/commonality.ts'),
    lib('libs/persistence/src/migrations/1767225600000-create-outcomes.ts'),
    index('libs/persistence/src/migrations/index.ts', "export * from './1767225600000-create-outcomes';"),
    index('libs/auth/src/index.ts', "export { Keys } from './keys';\nexport * as keys from './keys';"),
    index('libs/auth/src/index.ts', 'export {};'),
    index('libs/auth/src/index.spec.ts', 'export const one = 1;'),
    lib('libs/persistence/src/migrations/create-outcomes.int-spec.ts'),
    app('apps/read-api/src/main.ts'),
    app('apps/read-api/src/start.ts'),
    app('apps/read-api/src/patterns/patterns.controller.ts'),
    app('apps/read-api/src/read-api.config.ts'),
    app('apps/mcp-gateway/src/tools/get-bandit-state.tool.ts'),
    app('apps/outcomes-cli/src/import-csv.command.ts'),
    app('apps/console-web/src/findings/forest.chart.tsx'),
    app('apps/analysis-worker/src/pending.sweep.ts'),
    app('apps/analysis-worker/src/audit-seals.schedule.ts'),
    app('apps/ingest-api/src/openapi/outcome-event.schema.ts'),
    app('apps/mcp-gateway/src/json-rpc.protocol.ts'),
    app('apps/read-api/test/patterns/404-unknown-pattern.e2e-spec.ts'),
    app('apps/read-api/test/start-read-api.ts'),
  ],
  invalid: [
    fails(lib('libs/auth/src/utils.ts'), 'vague'),
    fails(lib('libs/auth/src/helpers/key-format.ts'), 'vague'),
    fails(lib('libs/auth/src/date-utils.ts'), 'vague'),
    fails(lib('libs/shared/src/key-format.ts'), 'vague'),
    fails(lib('libs/auth/src/common.service.ts'), 'vague'),
    fails(lib('libs/auth/src/utils.spec.ts'), 'vague'),
    fails(lib('libs/auth/src/ApiKey.service.ts'), 'kebab'),
    fails(lib('libs/auth/src/api_key.ts'), 'kebab'),
    fails(lib('libs/auth/src/api-key.usecase.ts'), 'role'),
    fails(lib('libs/auth/src/api-key.service.old.ts'), 'role'),
    fails(lib('libs/persistence/src/migrations/create-outcomes.ts'), 'migration'),
    fails(lib('libs/persistence/src/migrations/1767225600000-outcomes.ts'), 'migration'),
    fails(lib('libs/persistence/src/migrations/1767225600000-create-outcomes.service.ts'), 'migration'),
    ...[
      'export const one = 1;',
      'export function one() { return 1; }',
      'export default 1;',
      "import { Keys } from './keys';\nexport { Keys };",
      "import './keys';",
      "export * from './keys';\nconst one = 1;\nexport { one };",
    ].map((text) => fails(index('libs/auth/src/index.ts', text), 'logic')),
    fails(index('apps/console-web/src/routes/index.tsx', 'export const one = 1;'), 'logic'),
    fails(app('apps/read-api/src/pattern-arithmetic.ts'), 'roleless'),
    fails(app('apps/analysis-worker/src/pending.timer.ts'), 'role'),
  ],
});
