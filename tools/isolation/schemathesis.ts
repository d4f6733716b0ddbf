// Schemathesis over a REST surface, from the description that the service itself serves.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
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

/** @returns Why it cannot be had; undefined where it can. */
export async function schemathesisMissing(): Promise<string | undefined> {
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

interface Description {
  servers?: { url: string }[];
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
}

/** `failures`: one line each: what was found where. */
export interface Fuzzed {
  cases: number;
  failures: readonly string[];
}

/**
 * @param options `description`: address of the description; `cases`: at least so many requests; `isBroken`: hold the
 *   answers against a description that says of no refusal that there is one.
 */
export async function fuzzRest({
  description,
  apiKey,
  cases,
  seed,
  folder: directory,
  isBroken = false,
}: {
  description: string;
  apiKey: string;
  cases: number;
  seed: number;
  folder: string;
  isBroken?: boolean;
}): Promise<Fuzzed> {
  const served = await descriptionAt(description);
  const operations = operationsOf(served);
  const file = join(directory, 'description.json');
  writeFileSync(file, JSON.stringify(isBroken ? withoutRefusals(served) : served));
  const { code, output } = await run(
    [
      ...[
        join(folder, 'bin/st'),
        'run',
        file,
        '--url',
        new URL(served.servers?.[0]?.url ?? '/', description).href,
      ],
      ...['--header', `Authorization: Bearer ${apiKey}`],
      ...['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing', '--continue-on-failure'],
      ...['--max-examples', String(Math.ceil(cases / operations)), '--seed', String(seed), '--no-shrink'],
      ...['--request-timeout', '30', '--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
    ],
    { cwd: directory, timeout: 4 * HOUR_MS },
  );
  // 0: nothing found, 1: something found; anything else is a failure of the tool itself.
  if (code > 1) throw new Failure(`${output.trim().slice(-2_000)}\nschemathesis ended with ${code}.`);
  const generated = Number(/(\d[\d,]*) generated/.exec(output)?.[1]?.replaceAll(',', '') ?? Number.NaN);
  const failures = code === 0 ? [] : failuresIn(output);
  if (code === 1 && failures.length === 0) throw new Failure(output.trim().slice(-2_000));
  return { cases: generated, failures };
}

/** @returns one line each: the operation, what is wrong, and the beginning of what was answered */
function failuresIn(output: string): string[] {
  const [, ...sections] = output.split(/^_{3,} (?=[A-Z]+ \/)/m);
  return sections.flatMap((section) => {
    const [operation = ''] = section.split(' _');
    return section
      .split(/^- (?=[A-Z]+\d+ )/m)
      .slice(1)
      .map((failure) => {
        const [what = ''] = failure.split('\n');
        const answer = /^\[\d+\][^\n]*:\s+(.{0,200})/ms.exec(failure)?.[0] ?? '';
        return [operation, what.trim(), answer].join(': ').replaceAll(/\s+/g, ' ');
      });
  });
}

async function descriptionAt(address: string): Promise<Description> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  return (await answer.json()) as Description;
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'];

function operationsOf({ paths }: Description) {
  return Object.values(paths).flatMap((path) => Object.keys(path).filter((verb) => VERBS.includes(verb)))
    .length;
}

function withoutRefusals(description: Description): Description {
  const broken = structuredClone(description);
  for (const path of Object.values(broken.paths)) {
    for (const { responses } of Object.values(path)) {
      for (const status of Object.keys(responses ?? {}))
        if (!status.startsWith('2')) delete responses?.[status];
    }
  }
  return broken;
}
