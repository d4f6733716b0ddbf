// @ts-check
// Schemathesis over a REST surface, from the description that the service itself serves.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { onPath, run } from '../local/processes.mjs';
import { localDirectory } from '../local/settings.mjs';

const VERSION = '4.32.5';
const folder = join(localDirectory, `schemathesis-${VERSION}`);
const python = join(folder, 'bin/python');
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
const HOUR_MS = 3_600_000;

/** @returns {Promise<string | undefined>} Why it cannot be had; undefined where it can. */
export async function schemathesisMissing() {
  if (existsSync(join(folder, 'ready'))) return undefined;
  const system = onPath('python3') ? 'python3' : onPath('python') ? 'python' : undefined;
  if (system === undefined) return 'there is no Python';
  rmSync(folder, { recursive: true, force: true });
  for (const command of [
    [system, '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
    [python, '-c', `open(${JSON.stringify(join(folder, 'ready'))}, 'w').close()`],
  ]) {
    const { code, output } = await run(command, { timeout: 600_000 });
    if (code !== 0) return output.trim().split('\n').at(-1) ?? `${command.join(' ')} failed`;
  }
  return undefined;
}

/**
 * @typedef {{ cases: number, failures: readonly string[] }} Fuzzed `failures`: one line each: what was found where.
 * @param {{ description: string, apiKey: string, cases: number, seed: number, folder: string }} options
 *   `description`: address of the description; `cases`: at least so many requests.
 * @returns {Promise<Fuzzed>}
 */
export async function fuzzRest({ description, apiKey, cases, seed, folder: directory }) {
  const operations = await operationsOf(description);
  const events = join(directory, 'schemathesis.ndjson');
  rmSync(events, { force: true });
  const { code, output } = await run(
    [
      ...[join(folder, 'bin/st'), 'run', description, '--header', `Authorization: Bearer ${apiKey}`],
      ...['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing', '--continue-on-failure'],
      ...['--max-examples', String(Math.ceil(cases / operations)), '--seed', String(seed), '--no-shrink'],
      ...['--request-timeout', '30', '--suppress-health-check', 'all', '--warnings', 'off'],
      ...['--report', 'ndjson', '--report-ndjson-path', events, '--no-color'],
    ],
    { cwd: directory, timeout: 4 * HOUR_MS },
  );
  // 0: nothing found, 1: something found; anything else is a failure of the tool itself.
  if (code > 1) throw new Failure(`${output.trim().slice(-2_000)}\nschemathesis ended with ${code}.`);
  const found = findingsIn(output);
  if (code === 1 && found.failures.length === 0) throw new Failure(output.trim().slice(-2_000));
  return found;
}

/** @param {string} description */
async function operationsOf(description) {
  const answer = await fetch(description, { signal: AbortSignal.timeout(30_000) });
  /** @type {{ paths: Record<string, Record<string, unknown>> }} */
  const { paths } = await answer.json();
  const verbs = ['get', 'put', 'post', 'delete', 'patch'];
  return Object.values(paths).flatMap((path) => Object.keys(path).filter((verb) => verbs.includes(verb)))
    .length;
}

/** @param {string} output @returns {Fuzzed} */
function findingsIn(output) {
  const cases = Number(/(\d[\d,]*) generated/.exec(output)?.[1]?.replaceAll(',', '') ?? Number.NaN);
  const failures = [...output.matchAll(/^\s*- (.+)$/gm)].map(([, what = '']) => what.trim());
  return { cases, failures };
}
