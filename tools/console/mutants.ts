// Applies the mutations of mutations.ts one by one to a copy of the project, where the test that each names has to fail.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Failure } from '../local/failure.mjs';
import { takeLock } from '../local/lock.mjs';
import { run } from '../local/processes.mjs';
import { localDirectory, requireFreeSpace, root } from '../local/settings.mjs';
import type { SectionResult } from '../suites.ts';
import { MUTATIONS, type Mutation, type NamedTest } from './mutations.ts';

interface Judgement {
  verdict: 'caught' | 'MISSED' | 'NOT RUN';
  why?: string;
}

interface TestResult {
  status: string;
  message: string;
}

const LEFT_OUT = new Set(['.git', '.local', '.nx', 'coverage', 'node_modules']);
const OWN_PACKAGES = '@outcomes';

/**
 * @param longestMinutes for one run of tests
 * @param only what the names of those have in them that are wanted; empty for all
 */
export async function runMutations(longestMinutes: number, only: string): Promise<SectionResult> {
  const mutations = MUTATIONS.filter(({ name }) => name.includes(only));
  if (mutations.length === 0) throw new Failure(`No mutation has "${only}" in its name.`);
  const began = Date.now();
  console.log('\n== mutations');
  await requireFreeSpace(1_000);
  const copy = join(localDirectory, 'mutants');
  const release = takeLock(`${copy}.lock`);
  if (!release) throw new Failure('Mutations are being tested in this folder already: wait for them.');
  try {
    // A run that was killed leaves its own.
    rmSync(copy, { recursive: true, force: true });
    copyProject(copy);
    const sound = await testUnmutated(copy, mutations, longestMinutes);
    const lines = [];
    for (const [at, mutation] of mutations.entries()) {
      const since = Date.now();
      const { verdict, why } = await judge(copy, mutation, sound, longestMinutes);
      const seconds = (Date.now() - since) / 1_000;
      const name = `${mutation.name}: ${verdict}`;
      console.log(`  [${at + 1}/${mutations.length}] ${name} (${Math.round(seconds)} s)`);
      if (why !== undefined) console.log(`        ${why}`);
      const figures = [`by: ${mutation.of.test}`, ...(why === undefined ? [] : [why])];
      lines.push({ name, passed: verdict === 'caught', seconds, figures });
    }
    const passed = lines.every((line) => line.passed);
    return { section: 'mutations', passed, seconds: (Date.now() - began) / 1_000, lines };
  } finally {
    rmSync(copy, { recursive: true, force: true });
    release();
  }
}

/**
 * Sources and what they were compiled to are copied; installed packages are linked, except that this project's own are
 * those of the copy.
 */
function copyProject(copy: string) {
  for (const name of readdirSync(root)) {
    if (LEFT_OUT.has(name)) continue;
    // With the times of the files: what is compiled stays newer than its source.
    cpSync(join(root, name), join(copy, name), {
      ...{ recursive: true, preserveTimestamps: true, verbatimSymlinks: true },
    });
  }
  const packages = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules', OWN_PACKAGES), { recursive: true });
  for (const name of readdirSync(packages))
    if (name !== OWN_PACKAGES) symlinkSync(join(packages, name), join(copy, 'node_modules', name));
  // These lead to a folder beside node_modules: here, to that of the copy.
  for (const name of readdirSync(join(packages, OWN_PACKAGES))) {
    const own = join(OWN_PACKAGES, name);
    symlinkSync(readlinkSync(join(packages, own)), join(copy, 'node_modules', own));
  }
}

/**
 * The tests that mutations name, where nothing is wrong: one that fails here proves nothing there.
 * @returns names of those that pass
 */
async function testUnmutated(
  copy: string,
  mutations: readonly Mutation[],
  longestMinutes: number,
): Promise<ReadonlySet<string>> {
  const sound = new Set<string>();
  for (const [files, tests] of Map.groupBy(
    mutations.map(({ of }) => of),
    (test) => test.files,
  )) {
    const names = [...new Set(tests.map(({ test }) => test))];
    const project = (tests[0] as NamedTest).project;
    const { results, output } = await runTests(copy, { project, files }, names, longestMinutes);
    const passing = names.filter((name) => results.get(name)?.status === 'passed');
    for (const name of passing) sound.add(name);
    console.log(`  unmutated: ${passing.length} of ${names.length} tests of ${files} pass`);
    for (const name of names.filter((own) => !sound.has(own)))
      console.log(`        ${name}: ${firstLineOf(results.get(name)?.message ?? output)}`);
  }
  return sound;
}

async function judge(
  copy: string,
  { changes, of, saying }: Mutation,
  sound: ReadonlySet<string>,
  longestMinutes: number,
): Promise<Judgement> {
  if (!sound.has(of.test)) return { verdict: 'NOT RUN', why: 'the test fails without the mutation, too' };
  const restored = new Map(changes.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]));
  try {
    for (const { file, text, by } of changes) {
      const before = readFileSync(join(copy, file), 'utf8');
      const times = before.split(text).length - 1;
      if (times !== 1) return { verdict: 'NOT RUN', why: `${file} has the text ${times} times: ${text}` };
      writeFileSync(
        join(copy, file),
        before.replace(text, () => by),
      );
    }
    const { results, output } = await runTests(copy, of, [of.test], longestMinutes);
    const result = results.get(of.test);
    if (result?.status === 'passed') return { verdict: 'MISSED' };
    if (result?.status !== 'failed') return { verdict: 'NOT RUN', why: firstLineOf(output) };
    if (result.message.includes(saying)) return { verdict: 'caught' };
    return { verdict: 'NOT RUN', why: `it failed of something else: ${firstLineOf(result.message)}` };
  } finally {
    for (const [file, text] of restored) writeFileSync(join(copy, file), text);
  }
}

/** Builds what has changed in the copy, and runs tests there by their full names. */
async function runTests(
  copy: string,
  { project, files }: Pick<NamedTest, 'project' | 'files'>,
  names: readonly string[],
  longestMinutes: number,
): Promise<{ results: ReadonlyMap<string, TestResult>; output: string }> {
  const report = join(copy, '.local', 'report.json');
  rmSync(report, { force: true });
  const pattern = `^(${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
  const jest = ['--selectProjects', project, '--testPathPatterns', files, '--testNamePattern', pattern];
  const { output } = await run(
    [
      process.execPath,
      join(copy, 'tools/test.mjs'),
      ...jest,
      '--runInBand',
      '--json',
      `--outputFile=${report}`,
    ],
    // As the suites of the other sections run: some faults show in what `npm test` leaves to the whole form alone.
    { cwd: copy, env: { ...process.env, ACCESS_FORM: 'full' }, timeout: longestMinutes * 60_000 },
  );
  const results: Map<string, TestResult> = new Map();
  if (existsSync(report)) {
    for (const { assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults)
      for (const { fullName, status, failureMessages } of assertionResults)
        results.set(fullName, { status, message: stripVTControlCharacters(failureMessages.join('\n')) });
  }
  return { results, output };
}

/** The first line that says something: of a compiler, or of a test. */
function firstLineOf(output: string) {
  const lines = stripVTControlCharacters(output).split('\n');
  const telling = lines.find((line) => /error|expect|fail|timeout/i.test(line)) ?? lines.find(Boolean);
  return (telling ?? 'it said nothing').trim().slice(0, 160);
}
