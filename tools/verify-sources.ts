// `npm run verify:sources`: whether what outreach tools deliver and export gets in whole, once, and harms nobody.
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, localDirectory, requireFreeSpace, writeJson } from './local/settings.mjs';
import { withInstallation, type Installation } from './reliability/installation.ts';
import { Report } from './reliability/report.ts';
import { verifyBothWays } from './sources/both-ways.ts';
import { verifyLoad } from './sources/load.ts';
import { verifyMapping } from './sources/mapping.ts';
import { printResults, runSuite, type Suite } from './suites.ts';

/** How long a suite may take. */
const LONGEST_MINUTES = 20;

const suites: Record<string, Suite> = {
  traps: ['source-profiles', 'source-profiles/src'],
  deliveries: ['ingestion', 'ingestion/src/(sources|erasures)'],
  receivers: ['ingest-api', 'ingest-api/test/(deliveries|post-replays|get-sources)'],
  'opt-outs': ['surfaces-e2e', 'surfaces-e2e/test/(held-opt-outs|sticking-facts)\\.'],
  silence: ['analysis', 'analysis/src/sources'],
  imports: ['outcomes-cli', 'outcomes-cli/test/(sources|import)'],
  webhooks: ['webhooks', 'webhooks/(src|test)/'],
  news: ['analysis', 'analysis/src/news'],
};
const measurements: Record<
  string,
  (installation: Installation, report: Report, seconds: number) => Promise<void>
> = { 'both-ways': verifyBothWays, load: verifyLoad };
const names = ['mapping', ...Object.keys(measurements), ...Object.keys(suites)];
const help = `Usage: npm run verify:sources [-- --seconds N] [-- SECTION ...]

mapping: CPU of a row of a file, at most 40 us. both-ways: 1,000 mails as webhooks, shuffled, each delivery three times,
to two processes that are killed meanwhile, and the same mails as an export; both end in the same messages. load: 200
deliveries a second, p99 below a second. Each also of a broken design, which has to be seen. The others are suites: every
trap of a tool with a record in its own names, receivers, opt-outs in what nobody can read, a webhook that died, what goes
out by webhooks and where to. On a machine that does nothing else; ten minutes or so. The exit code is 1 where a line does not hold.

  --seconds N   length of the load, 60 unless told
  SECTION       some of: ${names.join(', ')}; all of them unless told`;

async function verify(chosen: readonly string[], seconds: number) {
  ensureLocalDirectory();
  const report = new Report((line) => console.log(line));
  const measured = chosen.filter((name) => name === 'mapping' || name in measurements);
  if (measured.length > 0) {
    await requireFreeSpace(1_000);
    await build(new AbortController().signal);
    if (measured.includes('mapping')) await verifyMapping(report);
    if (measured.some((name) => name in measurements))
      await withInstallation(async (installation) => {
        for (const name of measured) {
          try {
            await measurements[name]?.(installation, report, seconds);
          } catch (error) {
            report.notRun(name, error instanceof Error ? error.message : String(error));
          } finally {
            await installation.stop();
          }
        }
      });
    console.log(`\n${report.lines.length - report.failures} of ${report.lines.length} lines hold`);
    if (report.failures > 0) process.exitCode = 1;
  }
  const outcomes = [];
  for (const name of chosen) {
    const suite = suites[name];
    if (suite) outcomes.push(await runSuite(name, suite, LONGEST_MINUTES));
  }
  if (outcomes.length > 0) printResults(outcomes);
  writeJson(`${localDirectory}/sources.json`, {
    measuredAt: new Date().toISOString(),
    ...{ seconds, lines: report.lines, outcomes },
  });
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false }, seconds: { type: 'string', default: '60' } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 5) throw new Failure('--seconds is a whole number from 5.');
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(chosen, seconds);
});
