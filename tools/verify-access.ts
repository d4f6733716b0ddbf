// `npm run verify:access`: the suites of apps/surfaces-e2e with the numbers as promised, not the slice that
// `npm test` runs: 100 rounds of 400 requests, 10,000 audited calls, 1,000 keys, every probe after every statement;
// and the suites of the libraries that hold the same promises. Each has its own Postgres and Redis.
import { program } from './local/program.mjs';
import { runSections } from './suites.ts';

/** Suites by section: a project of Jest and the files in it. */
const suites = {
  tenants: ['persistence', '(row-level-security|tenant-transactions)\\.int-spec'],
  credentials: ['auth', '(authenticator|failure-throttle|key-administration)\\.int-spec'],
  histories: ['ingestion', 'histories\\.int-spec'],
  counting: ['limits', '\\.int-spec'],
  'audit-log': ['audit', '\\.int-spec'],
  gateway: ['mcp-gateway', 'calls\\.e2e-spec'],
  'audit-verify': ['outcomes-cli', 'audit-verify\\.e2e-spec'],
  ...surfaces('audit', 'keys', 'limits', 'secrets', 'traces', 'cross-tenant'),
} as const;
const help = `Usage: npm run verify:access [-- SECTION ...]

Starts a Postgres, a Redis and the built services for each section, and runs its suites at full size, a quarter of
an hour or so on two cores of a machine that does nothing else. Closes with a line for every promise and its figures,
and one for every section. The exit code is 1 where a promise does not hold or nothing was tested.`;

function surfaces(...suites: string[]): Record<string, readonly [string, string]> {
  return Object.fromEntries(suites.map((name) => [name, ['surfaces-e2e', `surfaces-e2e/test/${name}\\.`]]));
}

// The longest takes ten minutes where nothing else runs.
await program(() => runSections({ help, suites, longestMinutes: 60 }));
