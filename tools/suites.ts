// Suites of Jest at full size, each on a Postgres and Redis of its own, and the tables that they close with.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { run } from './local/processes.mjs';
import { makeRunFolder } from './local/run-folder.mjs';
import { ensureLocalDirectory, root } from './local/settings.mjs';

interface Line {
  name: string;
  passed: boolean;
  seconds: number;
  figures: string[];
}

export interface SectionResult {
  section: string;
  passed: boolean;
  seconds: number;
  lines: Line[];
}

/** a project of Jest, and a pattern of the files in it */
export type Suite = readonly [project: string, files: string];

/** What a command runs. */
export interface Command {
  /** For `--help`, and for who names a section that is not there; SECTION is explained beneath it. */
  readonly help: string;
  readonly suites: Readonly<Record<string, Suite>>;
  /** How long a section may take. */
  readonly longestMinutes: number;
  /** Sections of another kind, after the suites: each prints its lines and says whether all of them hold. */
  readonly others?: Readonly<Record<string, () => Promise<boolean>>>;
}

/** Runs the sections that the command line names, all of them unless it does. @throws Failure for one that is not there */
export async function runSections({ help, suites, longestMinutes, others = {} }: Command): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  const names = [...Object.keys(suites), ...Object.keys(others)];
  const usage = `${help}\n\n  SECTION   some of: ${names.join(', ')}; all of them unless told`;
  if (values.help) return console.log(usage);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${usage}`);
  const isChosen = ([name]: readonly [string, unknown]) =>
    positionals.length === 0 || positionals.includes(name);
  ensureLocalDirectory();
  const results: SectionResult[] = [];
  for (const [name, suite] of Object.entries(suites).filter(isChosen))
    results.push(await runSuite(name, suite, longestMinutes));
  for (const [, verify] of Object.entries(others).filter(isChosen))
    if (!(await verify())) process.exitCode = 1;
  if (results.length > 0) printResults(results);
}

/** Runs the tests of a section with the numbers as promised. */
export async function runSuite(
  section: string,
  [project, files]: Suite,
  longestMinutes: number,
): Promise<SectionResult> {
  const { directory, remove } = await makeRunFolder('suite');
  const [report, figures] = [join(directory, 'report.json'), join(directory, 'figures.jsonl')];
  const began = Date.now();
  console.log(`\n== ${section}`);
  try {
    const jest = ['--selectProjects', project, '--testPathPatterns', files, '--runInBand', '--verbose'];
    const output = ['--json', `--outputFile=${report}`];
    const { code } = await run([process.execPath, join(root, 'tools/test.mjs'), ...jest, ...output], {
      ...{ cwd: root, timeout: (longestMinutes + 5) * 60_000, output: 'inherit' },
      env: {
        ...process.env,
        ...{ ACCESS_FORM: 'full', ACCESS_FIGURES: figures, TEST_LONGEST_MINUTES: String(longestMinutes) },
      },
    });
    const lines = existsSync(report) ? linesOf(report, figures) : [];
    const passed = code === 0 && lines.length > 0 && lines.every((line) => line.passed);
    return { section, passed, seconds: (Date.now() - began) / 1_000, lines };
  } finally {
    remove();
  }
}

/** @param report what Jest wrote @param figures what the tests noted */
function linesOf(report: string, figures: string): Line[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const notes = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
  const noted: { test: string; text: string }[] = notes.map((note) => JSON.parse(note));
  return testResults.flatMap((suite: { assertionResults: any[]; message: string }) =>
    suite.assertionResults.map(({ fullName, status, duration }) => ({
      name: fullName,
      passed: status === 'passed',
      seconds: (duration ?? 0) / 1_000,
      figures: noted.filter(({ test }) => test === fullName).map(({ text }) => text),
    })),
  );
}

/** Prints a line for every test with its figures, and one for every section. */
export function printResults(results: readonly SectionResult[]) {
  for (const { section, lines } of results) {
    console.log(`\n${section}`);
    for (const { name, passed, seconds, figures } of lines) {
      console.log(`  ${passed ? 'PASS' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
      for (const text of figures) console.log(`        ${text}`);
    }
  }
  console.log('\nSection        Result  Tests    Time');
  for (const { section, passed, seconds, lines } of results) {
    const tests = `${lines.filter((line) => line.passed).length}/${lines.length}`;
    const verdict = passed ? 'PASS' : 'FAIL';
    console.log(`${section.padEnd(15)}${verdict.padEnd(8)}${tests.padEnd(9)}${Math.round(seconds)} s`);
  }
  const held = results.filter(({ passed }) => passed).length;
  const lines = results.flatMap((result) => result.lines);
  const passing = lines.filter(({ passed }) => passed).length;
  console.log(
    `\n${held} of ${results.length} sections hold, and ${passing} of the ${lines.length} lines above.`,
  );
  if (held < results.length) process.exitCode = 1;
}
