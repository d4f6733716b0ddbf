// @ts-check
// `npm run verify:mutation`: what the tests of a lib would let through.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { onProjectNode } from './local/install.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { step } from './local/progress.mjs';
import { ensureLocalDirectory, localDirectory, root } from './local/settings.mjs';
import { withTestServers } from './local/test-servers.mjs';
import { libs, LEAST_SCORE } from './mutation/libs.mjs';

const help = `Usage: npm run verify:mutation -- [lib ...] [--mutate PATTERN ...] [--without SPEC ...] [--fresh]

Changes the code of a lib in one place at a time (Stryker) and runs the lib's tests on a real Postgres and Redis: a
change that no test notices survives. A lib holds from ${LEAST_SCORE} % of its mutants found.

  lib ...              which of ${Object.keys(libs).join(', ')}; all of them without
  --mutate PATTERN ... only these files of the lib, such as src/limiter/*.ts, or lines of them: src/a.ts:10-40
  --without SPEC ...   leave these test files away, to see that the score falls
  --survivors          print every mutant that survived, with its place and what was changed
  --fresh              test these mutants again, also where code and tests did not change since the last run
  --concurrency N      test processes at once; 2 without

Results stay in .local/mutation/: a report to read in a browser for each lib, and its figures as JSON.`;

const here = join(import.meta.dirname, 'mutation');
const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const hours = 3_600_000;

/**
 * @typedef {{ id: string, mutatorName: string, replacement?: string, status: string,
 *   location: { start: { line: number, column: number }, end: { line: number, column: number } } }} Mutant
 * @typedef {{ lib: string, found: number, timedOut: number, survived: number, uncovered: number, invalid: number,
 *   seconds: number, survivors: string[] }} Score
 * @typedef {{ mutate: string[], without: string[], survivors: boolean, fresh: boolean, concurrency: number }} Options
 */

/** Stryker lies in a folder of its own: whoever does not run this need not install it. @param {AbortSignal} signal */
async function install(signal) {
  if (existsSync(stryker)) return;
  await step('Installing Stryker', async () => {
    const command = ['npm', 'ci', '--no-audit', '--no-fund'];
    const { code, output } = await run(command, { cwd: here, signal, timeout: hours / 6 });
    if (code !== 0) throw new Failure(`${output.trim()}\nStryker could not be installed.`);
  });
}

/**
 * @param {string} lib
 * @param {Options} options
 * @param {Record<string, string>} servers
 * @param {AbortSignal} signal
 * @returns {Promise<Score>}
 */
async function test(lib, options, servers, signal) {
  console.log(`\n== ${lib}`);
  const began = Date.now();
  const directory = join(localDirectory, 'mutation');
  const report = join(directory, `${lib}.json`);
  rmSync(report, { force: true });
  const settings = { lib, report, directory, ...options };
  const { code } = await run([process.execPath, stryker, 'run', join(here, 'stryker.config.mjs')], {
    ...{
      cwd: join(root, 'libs', lib),
      signal,
      timeout: 12 * hours,
      output: /** @type {const} */ ('inherit'),
    },
    env: { ...process.env, ...servers, MUTATION: JSON.stringify(settings) },
  });
  signal.throwIfAborted();
  if (code !== 0 || !existsSync(report)) throw new Failure(`The mutants of ${lib} could not be tested.`);
  return { ...scoreOf(lib, report), seconds: (Date.now() - began) / 1_000 };
}

/** @param {string} lib @param {string} report what Stryker wrote @returns {Omit<Score, 'seconds'>} */
function scoreOf(lib, report) {
  /** @type {{ files: Record<string, { source: string, mutants: Mutant[] }> }} */
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, ...mutant })),
  );
  /** @param {...string} statuses */
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return {
    lib,
    found: count('Killed'),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    invalid: count('RuntimeError', 'CompileError', 'Pending'),
    survivors: mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ file, source, location, replacement, status, mutatorName }) => {
        const { line, column } = location.start;
        const text = textAt(source, location).replaceAll(/\s+/g, ' ');
        return `libs/${lib}/${file}:${line}:${column} ${status} ${mutatorName}: ${clip(text)} -> ${clip(replacement ?? '')}`;
      }),
  };
}

/** @param {string} source @param {Mutant['location']} location */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

/** @param {string} text */
const clip = (text) => (text.length > 100 ? `${text.slice(0, 100)}…` : text).replaceAll(/\s+/g, ' ');

/** @param {Score} score In percent, as Stryker counts: a mutant that runs into the time-out is noticed. */
function percent({ found, timedOut, survived, uncovered }) {
  return (100 * (found + timedOut)) / (found + timedOut + survived + uncovered);
}

/** @param {Score[]} scores */
function print(scores) {
  console.log('\nLib          Mutants  Found  Timed out  Survived  No test  Score     Time');
  for (const score of scores) {
    const { lib, found, timedOut, survived, uncovered, seconds } = score;
    const all = found + timedOut + survived + uncovered;
    const holds = percent(score) >= LEAST_SCORE;
    const cells = [all, found, timedOut, survived, uncovered].map((value, at) =>
      String(value).padStart([7, 7, 11, 10, 9][at] ?? 8),
    );
    console.log(
      `${lib.padEnd(13)}${cells.join('')}  ${percent(score).toFixed(1).padStart(5)} %  ${Math.round(seconds)} s  ${holds ? 'PASS' : 'FAIL'}`,
    );
    if (!holds) process.exitCode = 1;
  }
}

/** @param {string[]} names @param {Options} options */
async function verify(names, options) {
  ensureLocalDirectory();
  mkdirSync(join(localDirectory, 'mutation'), { recursive: true });
  await withTestServers(async (servers, signal) => {
    await install(signal);
    /** @type {Score[]} */
    const scores = [];
    for (const lib of names) {
      const score = await test(lib, options, servers, signal);
      if (options.survivors) for (const line of score.survivors) console.log(line);
      scores.push(score);
    }
    print(scores);
  });
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mutate: { type: 'string', multiple: true, default: [] },
      without: { type: 'string', multiple: true, default: [] },
      survivors: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      concurrency: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !Object.hasOwn(libs, name));
  if (unknown) throw new Failure(`${unknown} is not one of the libs.\n${help}`);
  const names = positionals.length > 0 ? positionals : Object.keys(libs);
  const { mutate, without, survivors, fresh } = values;
  const options = { mutate, without, survivors, fresh, concurrency: Number(values.concurrency) };
  await onProjectNode(import.meta.filename, process.argv.slice(2), () => verify(names, options));
});
