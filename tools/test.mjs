// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './local/failure.mjs';
import { onProjectNode } from './local/install.mjs';
import { run } from './local/processes.mjs';
import { program } from './local/program.mjs';
import { localDirectory, root } from './local/settings.mjs';
import { writeSuiteGroups } from './local/suite-groups.mjs';
import { withTestServers } from './local/test-servers.mjs';
import { together } from './local/together.mjs';

/** How long a step may take; suites at full size say that they need longer. */
const longest = Number(process.env['TEST_LONGEST_MINUTES'] ?? 60) * 60_000;

/**
 * Test files at once: they wait for what they start. Three leave a twentieth of two processors idle, four a fiftieth; but with
 * four, one test ran out of time in an hour when the machine was slow.
 */
const workers = 3;

/**
 * Memory of Jest and, as they inherit it, its workers. Suites load thousands of modules and make much that is soon of no
 * use: with V8's own 1 MB for what is young, a seventh of their CPU went into collecting it. A heap that begins small is gone
 * through again and again while it grows; what that takes is within the 8 % by which two equal runs differ.
 */
const memory = ['--min-semi-space-size=16', '--max-semi-space-size=64', '--initial-heap-size=400'];

/**
 * What `--pods N` asks for: the black-box suites, with N processes of each service behind a proxy that gives each
 * request to the next of them. Everything else goes to Jest.
 * @param {string[]} args
 * @returns {{ jestArgs: string[], environment: Record<string, string>, patience: number }}
 */
function chosenBy(args) {
  const at = args.indexOf('--pods');
  if (at < 0) return { jestArgs: args, environment: {}, patience: longest };
  const pods = Number(args[at + 1]);
  if (!Number.isInteger(pods) || pods < 1) throw new Failure('--pods takes a whole number, 1 or more.');
  const rest = args.toSpliced(at, 2);
  // One file at a time: each starts so many processes already.
  const forced = ['--testPathPatterns', 'e2e-spec', '--maxWorkers=1', `--testTimeout=${60_000 * pods}`];
  return {
    jestArgs: [...forced, ...rest],
    environment: { TEST_PODS: String(pods) },
    patience: pods * longest,
  };
}

/** @param {string[]} args */
async function test(args) {
  const { jestArgs, environment: chosen, patience } = chosenBy(args);
  await withTestServers(async (environment, signal) => {
    // At once, because the tests of the tools mostly wait for what they start.
    const [jestCode, tools] = await together(
      signal,
      (either) => runJest(jestArgs, { ...environment, ...chosen }, patience, either),
      // Arguments ask for a part of the Jest tests.
      async (either) => (jestArgs.length > 0 ? { code: 0, output: '' } : testTools(either)),
    );
    signal.throwIfAborted();
    if (tools.output !== '') console.log(tools.code === 0 ? countsIn(tools.output) : tools.output);
    process.exitCode = jestCode || tools.code;
    if (tools.code !== 0) console.error('The tests in tools/ failed: see above.');
  });
}

/**
 * Of hundreds of tests that pass the numbers are enough.
 * @param {string} output
 */
function countsIn(output) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [, name = '', count] of output.matchAll(/^ℹ (tests|pass|fail|skipped|duration_ms) ([\d.]+)$/gm))
    counts.set(name, Math.round((counts.get(name) ?? 0) + Number(count)));
  return ['Tests of the tools:', ...[...counts].map(([name, count]) => `ℹ ${name} ${count}`)].join('\n');
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{ code: number, output: string }>} What they print comes whole: Jest prints meanwhile.
 */
async function testTools(signal) {
  const specs = readdirSync(join(root, 'tools'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!.*node_modules\/).*\.spec\.(mjs|ts)$/.test(file),
  );
  const ofRules = specs.filter((file) => file.startsWith('eslint-rules/'));
  const others = specs.filter((file) => !ofRules.includes(file));
  const results = [
    await testFiles(others, [], signal),
    // To load ESLint takes longer than these tests do.
    await testFiles(ofRules, ['--test-isolation=none'], signal),
  ];
  return {
    code: results.find(({ code }) => code !== 0)?.code ?? 0,
    output: results.map(({ output }) => output).join(''),
  };
}

/**
 * @param {readonly string[]} specs - below tools/
 * @param {readonly string[]} options
 * @param {AbortSignal} signal
 * @returns {Promise<{ code: number, output: string }>}
 */
async function testFiles(specs, options, signal) {
  if (specs.length === 0) return { code: 0, output: '' };
  const command = [process.execPath, '--test', ...options, ...specs.map((file) => join(root, 'tools', file))];
  return run(command, { cwd: root, signal, timeout: longest });
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @param {number} timeout
 * @param {AbortSignal} signal
 */
async function runJest(args, environment, timeout, signal) {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  // Arguments choose among suites, of which each is then loaded by itself.
  const config = args.length > 0 ? 'jest.config.js' : writeSuiteGroups(root, join(localDirectory, 'suites'));
  const jest = [process.execPath, ...memory, program, '--config', config];
  const atOnce = args.some((arg) => /^(--maxWorkers|-w|--runInBand|-i)\b/.test(arg))
    ? []
    : [`--maxWorkers=${workers}`];
  const env = { ...process.env, ...environment };
  const { code } = await run([...jest, ...atOnce, ...args], {
    ...{ cwd: root, env, signal, timeout },
    output: 'inherit',
  });
  return code;
}

await program(() => {
  const args = process.argv.slice(2);
  return onProjectNode(import.meta.filename, args, () => test(args));
});
