// `npm run verify:analysis`: the suites that hold incremental work against work from scratch, with as many events, days and
// histories as their promises have, not the slice that `npm test` runs. Each has its own Postgres and Redis.
import { program } from './local/program.mjs';
import { runSections } from './suites.ts';

/** Suites by section: a project of Jest and the files in it. */
const suites = {
  folding: ['ingestion', '(batch-processing|touch-rebuild|event-deletion)\\.int-spec'],
  recipients: ['analysis', 'responder-counts\\.int-spec'],
  history: ['analysis', 'incremental-history\\.int-spec'],
  evidence: ['analysis', '(read|standing)-evidence\\.spec'],
} as const;
const help = `Usage: npm run verify:analysis [-- SECTION ...]

Runs the suites of counting and analysis that compare what is kept with what is made anew, at full size. Closes with a
line for every test, and one for every section. The exit code is 1 where one fails or nothing was tested.`;

// The longest takes a minute where nothing else runs.
await program(() => runSections({ help, suites, longestMinutes: 30 }));
