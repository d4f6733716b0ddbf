// `npm run verify:mutation`: what the tests of a lib would let through.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { step } from './local/progress.mjs';
import { ensureLocalDirectory, localDirectory, root } from './local/settings.mjs';
import { withTestServers } from './local/test-servers.mjs';
import { libs, LEAST_SCORE } from './mutation/libs.ts';
import { interval, isDrawn } from './mutation/sample.ts';

const help = `Usage: npm run verify:mutation -- [lib ...] [--sample SHARE] [--mutate PATTERN ...] [--without SPEC ...]

Changes the code of a lib in one place at a time (Stryker) and runs the lib's tests on a real Postgres and Redis: a
change that no test notices survives. A lib holds from ${LEAST_SCORE} % of its mutants found.

  lib ...              which of ${Object.keys(libs).join(', ')}; all of them without
  --sample SHARE       test that share of the mutants, 0 to 1, drawn at random. The score is then printed with the interval
                       of 95 % that it says of all of them, and a lib holds if the whole interval does
  --seed TEXT          another one draws others
  --mutate PATTERN ... only these files of the lib, such as src/limiter/*.ts, or lines of them: src/a.ts:10-40
  --without SPEC ...   leave these test files away, to see that the score falls
  --survivors          print every mutant that survived, with its place and what was changed
  --fresh              test these mutants again, also where code and tests did not change since the last run
  --concurrency N      test processes at once; 2 without

Results stay in .local/mutation/: a report to read in a browser for each lib, and its figures as JSON.`;

const here = join(import.meta.dirname, 'mutation');
const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const hours = 3_600_000;

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Of a file in the report of Stryker, mutation-testing-report-schema. */
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Score {
  readonly lib: string;
  readonly found: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly uncovered: number;
  readonly survivors: readonly string[];
}

interface Options {
  readonly mutate: readonly string[];
  readonly without: readonly string[];
  readonly survivors: boolean;
  readonly fresh: boolean;
  readonly concurrency: number;
  readonly sample: number;
  readonly seed: string;
}

/** Stryker lies in a folder of its own: whoever does not run this need not install it. */
async function install(signal: AbortSignal) {
  if (existsSync(stryker)) return;
  await step('Installing Stryker', async () => {
    const command = ['npm', 'ci', '--no-audit', '--no-fund'];
    const { code, output } = await run(command, { cwd: here, signal, timeout: hours / 6 });
    if (code !== 0) throw new Failure(`${output.trim()}\nStryker could not be installed.`);
  });
}

async function test(
  lib: string,
  options: Options,
  servers: Record<string, string>,
  signal: AbortSignal,
): Promise<Score & { readonly seconds: number }> {
  console.log(`\n== ${lib}`);
  const began = Date.now();
  const directory = join(localDirectory, 'mutation');
  const report = join(directory, `${lib}.json`);
  rmSync(report, { force: true });
  const settings = { lib, report, directory, ...options };
  const { code } = await run([process.execPath, stryker, 'run', join(here, 'stryker.config.mjs')], {
    ...{ cwd: join(root, 'libs', lib), signal, timeout: 12 * hours, output: 'inherit' },
    env: { ...process.env, ...servers, MUTATION: JSON.stringify(settings) },
  });
  signal.throwIfAborted();
  if (code !== 0 || !existsSync(report)) throw new Failure(`The mutants of ${lib} could not be tested.`);
  return { ...scoreOf(lib, report, options), seconds: (Date.now() - began) / 1_000 };
}

/** @param report - what Stryker wrote */
function scoreOf(lib: string, report: string, { sample, seed }: Options): Score {
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
    files: Record<string, { source: string; mutants: Mutant[] }>;
  };
  const mutants = Object.entries(files)
    .flatMap(([file, { source, mutants }]) => mutants.map((mutant) => ({ file, source, ...mutant })))
    // Those that no test reaches are told of all the lib, whatever was drawn.
    .filter(
      ({ file, mutatorName, replacement = '', location }) =>
        sample === 1 || isDrawn({ file, mutatorName, replacement, ...location.start }, sample, seed),
    );
  if (mutants.some(({ status }) => status === 'CompileError'))
    throw new Failure('Stryker did not test the mutants that were drawn.');
  const count = (wanted: string) => mutants.filter(({ status }) => status === wanted).length;
  return {
    lib,
    found: count('Killed'),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    survivors: mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ file, source, location, replacement, status, mutatorName }) => {
        const { line, column } = location.start;
        const text = textAt(source, location).replaceAll(/\s+/g, ' ');
        return `libs/${lib}/${file}:${line}:${column} ${status} ${mutatorName}: ${clip(text)} -> ${clip(replacement ?? '')}`;
      }),
  };
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join('\n');
}

const clip = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text).replaceAll(/\s+/g, ' ');

/** As Stryker counts: a mutant that runs into the time-out is noticed. */
function percent({ found, timedOut, survived, uncovered }: Score): number {
  return (100 * (found + timedOut)) / (found + timedOut + survived + uncovered);
}

function print(scores: readonly (Score & { readonly seconds: number })[], { sample }: Options) {
  const head = 'Lib          Mutants  Found  Timed out  Survived  No test  Score';
  console.log(`\n${head}     ${sample < 1 ? 'Of all of them    ' : ''}Time`);
  for (const score of scores) {
    const { lib, found, timedOut, survived, uncovered, seconds } = score;
    const all = found + timedOut + survived + uncovered;
    const { low, high } = interval(found + timedOut, all);
    const holds = (sample < 1 ? 100 * low : percent(score)) >= LEAST_SCORE;
    const ofAll = sample < 1 ? `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %    ` : '';
    const cells = [all, found, timedOut, survived, uncovered].map((value, at) =>
      String(value).padStart([7, 7, 11, 10, 9][at] ?? 8),
    );
    console.log(
      `${lib.padEnd(13)}${cells.join('')}  ${percent(score).toFixed(1).padStart(5)} %   ${ofAll}${Math.round(seconds)} s  ${holds ? 'PASS' : 'FAIL'}`,
    );
    if (!holds) process.exitCode = 1;
  }
}

async function verify(names: readonly string[], options: Options) {
  ensureLocalDirectory();
  mkdirSync(join(localDirectory, 'mutation'), { recursive: true });
  await withTestServers(async (servers, signal) => {
    await install(signal);
    const scores: (Score & { readonly seconds: number })[] = [];
    for (const lib of names) {
      const score = await test(lib, options, servers, signal);
      if (options.survivors) for (const line of score.survivors) console.log(line);
      scores.push(score);
    }
    print(scores, options);
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
      sample: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !Object.hasOwn(libs, name));
  if (unknown) throw new Failure(`${unknown} is not one of the libs.\n${help}`);
  const names = positionals.length > 0 ? positionals : Object.keys(libs);
  const concurrency = Number(values.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Failure('--concurrency takes a whole number, 1 or more.');
  const sample = Number(values.sample);
  if (!(sample > 0 && sample <= 1))
    throw new Failure('--sample takes a share of all mutants, above 0 and up to 1.');
  await verify(names, { ...values, concurrency, sample });
});
