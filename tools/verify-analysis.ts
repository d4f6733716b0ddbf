// `npm run verify:analysis`: the suites that hold incremental work against work from scratch, with as many events, days and
// histories as their promises have, not the slice that `npm test` runs. Each has its own Postgres and Redis.
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory } from './local/settings.mjs';
import { printResults, runSuite } from './suites.ts';

/** How long a section may take; the longest takes a minute where nothing else runs. */
const LONGEST_MINUTES = 30;

/** Suites by section: a project of Jest and the files in it. */
const sections = {
  folding: ['ingestion', '(batch-processing|touch-rebuild)\\.int-spec'],
  recipients: ['analysis', 'responder-counts\\.int-spec'],
  history: ['analysis', 'incremental-history\\.int-spec'],
  evidence: ['analysis', '(read|standing)-evidence\\.spec'],
} as const;
const names = Object.keys(sections);
const help = `Usage: npm run verify:analysis [-- SECTION ...]

Runs the suites of counting and analysis that compare what is kept with what is made anew, at full size. Closes with a
line for every test, and one for every section. The exit code is 1 where one fails or nothing was tested.

  SECTION   some of: ${names.join(', ')}; all of them unless told`;

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  ensureLocalDirectory();
  const outcomes = [];
  for (const [name, suite] of Object.entries(sections)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    outcomes.push(await runSuite(name, suite, LONGEST_MINUTES));
  }
  printResults(outcomes);
});
