// @ts-check
// Suites of Jest at full size, each on a Postgres and Redis of its own, and the tables that they close with.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './local/processes.mjs';
import { localDirectory, root } from './local/settings.mjs';

/**
 * @typedef {{ name: string, passed: boolean, seconds: number, figures: string[] }} Line
 * @typedef {{ section: string, passed: boolean, seconds: number, lines: Line[] }} SectionResult
 * @typedef {readonly [project: string, files: string]} Suite a project of Jest, and a pattern of the files in it
 */

/**
 * Runs the tests of a section with the numbers as promised.
 * @param {string} section
 * @param {Suite} suite
 * @param {number} longestMinutes
 * @returns {Promise<SectionResult>}
 */
export async function runSuite(section, [project, files], longestMinutes) {
  const directory = mkdtempSync(join(localDirectory, 'suite-'));
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

/** Prints a line for every test with its figures, and one for every section. @param {readonly SectionResult[]} results */
export function printResults(results) {
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
