// @ts-check
// `npm run verify:access`: the suites of apps/surfaces-e2e with the numbers as promised, not the slice that
// `npm test` runs: 100 rounds of 400 requests, 10,000 audited calls, 1,000 keys, every probe after every statement;
// and the suites of the libraries that hold the same promises. Each has its own Postgres and Redis.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { onProjectNode } from './local/install.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, localDirectory, root } from './local/settings.mjs';

/** How long a section may take; the longest takes ten minutes where nothing else runs. */
const LONGEST_MINUTES = 60;

/** Suites by section: a project of Jest and the files in it. */
const sections = /** @type {const} */ ({
  tenants: ['persistence', '(row-level-security|tenant-transactions)\\.int-spec'],
  credentials: ['auth', '(authenticator|failure-throttle|key-administration)\\.int-spec'],
  histories: ['ingestion', 'histories\\.int-spec'],
  counting: ['limits', '\\.int-spec'],
  'audit-log': ['audit', '\\.int-spec'],
  gateway: ['mcp-gateway', 'calls\\.e2e-spec'],
  'audit-verify': ['outcomes-cli', 'audit-verify\\.e2e-spec'],
  ...surfaces('audit', 'keys', 'limits', 'secrets', 'traces', 'cross-tenant'),
});
const names = Object.keys(sections);
const help = `Usage: npm run verify:access [-- SECTION ...]

Starts a Postgres, a Redis and the built services for each section, and runs its suites at full size, a quarter of
an hour or so on two cores of a machine that does nothing else. Closes with a line for every promise and its figures,
and one for every section. The exit code is 1 where a promise does not hold or nothing was tested.

  SECTION   some of: ${names.join(', ')}; all of them unless told`;

/**
 * @typedef {{ name: string, passed: boolean, seconds: number, figures: string[] }} Line
 * @typedef {{ section: string, passed: boolean, seconds: number, lines: Line[] }} Outcome
 */

/** @param {string[]} suites @returns {Record<string, readonly [string, string]>} */
function surfaces(...suites) {
  return Object.fromEntries(suites.map((name) => [name, ['surfaces-e2e', `surfaces-e2e/test/${name}\\.`]]));
}

/** @param {readonly string[]} chosen */
async function verify(chosen) {
  ensureLocalDirectory();
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const section of chosen) outcomes.push(await runSection(section));
  for (const { section, lines } of outcomes) {
    console.log(`\n${section}`);
    for (const { name, passed, seconds, figures } of lines) {
      console.log(`  ${passed ? 'PASS' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
      for (const text of figures) console.log(`        ${text}`);
    }
  }
  console.log('\nSection        Result  Tests    Time');
  for (const { section, passed, seconds, lines } of outcomes) {
    const tests = `${lines.filter((line) => line.passed).length}/${lines.length}`;
    const result = passed ? 'PASS' : 'FAIL';
    console.log(`${section.padEnd(15)}${result.padEnd(8)}${tests.padEnd(9)}${Math.round(seconds)} s`);
  }
  const held = outcomes.filter(({ passed }) => passed).length;
  console.log(`\n${held} of ${outcomes.length} sections hold.`);
  if (held < outcomes.length) process.exitCode = 1;
}

/** @param {string} section @returns {Promise<Outcome>} */
async function runSection(section) {
  const [project, files] = sections[/** @type {keyof typeof sections} */ (section)];
  const directory = mkdtempSync(join(localDirectory, 'access-'));
  const [report, figures] = [join(directory, 'report.json'), join(directory, 'figures.jsonl')];
  const began = Date.now();
  console.log(`\n== ${section}`);
  try {
    const jest = ['--selectProjects', project, '--testPathPatterns', files, '--runInBand', '--verbose'];
    const output = ['--json', `--outputFile=${report}`];
    const { code } = await run([process.execPath, join(root, 'tools/test.mjs'), ...jest, ...output], {
      ...{ cwd: root, timeout: (LONGEST_MINUTES + 5) * 60_000, output: 'inherit' },
      env: {
        ...process.env,
        ...{ ACCESS_FORM: 'full', ACCESS_FIGURES: figures, TEST_LONGEST_MINUTES: String(LONGEST_MINUTES) },
      },
    });
    const lines = existsSync(report) ? linesOf(report, figures) : [];
    const passed = code === 0 && lines.length > 0 && lines.every((line) => line.passed);
    return { section, passed, seconds: (Date.now() - began) / 1_000, lines };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {string} report what Jest wrote @param {string} figures what the tests noted @returns {Line[]} */
function linesOf(report, figures) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const notes = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
  /** @type {{ test: string, text: string }[]} */
  const noted = notes.map((note) => JSON.parse(note));
  return testResults.flatMap((/** @type {{ assertionResults: any[], message: string }} */ suite) =>
    suite.assertionResults.map(({ fullName, status, duration }) => ({
      name: fullName,
      passed: status === 'passed',
      seconds: (duration ?? 0) / 1_000,
      figures: noted.filter(({ test }) => test === fullName).map(({ text }) => text),
    })),
  );
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  await onProjectNode(import.meta.filename, process.argv.slice(2), () => verify(chosen));
});
