import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { root } from '../local/settings.mjs';
import { parseManifests } from './manifests.ts';

export const chart = join(root, 'k8s/chart');
export const kustomize = join(root, 'k8s/kustomize');
/** Rendered for this version; the chart says which it needs at least. */
const kubernetes = '1.33.0';

/** Values of each overlay: a file of the chart's own cases. */
export const overlays = { minimal: 'ci/minimal-values.yaml', production: 'ci/production-values.yaml' };

/** @returns The helm program, where this machine has one. */
export function findHelm(): string | undefined {
  const candidates = [process.env['HELM'], 'helm', join(homedir(), 'go/bin/helm'), '/go/bin/helm'];
  const go = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8', timeout: 10_000 });
  if (go.status === 0) candidates.push(join(go.stdout.trim(), 'bin/helm'));
  return candidates.find(
    (file) => file && spawnSync(file, ['version', '--short'], { timeout: 10_000 }).status === 0,
  );
}

/**
 * @param options The workspace is the folder unless told.
 * @returns What it printed.
 */
export function run(
  program: string,
  args: string[],
  { input, timeout = 120_000, cwd = root }: { input?: string; timeout?: number; cwd?: string } = {},
): string {
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    input,
    timeout,
    maxBuffer: 2 ** 28,
  });
  const { error } = result;
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Failure(`NOT RUN: there is no ${program} on this machine.`);
  if (result.status !== 0) {
    throw new Failure(`${program} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  }
  return result.stdout;
}

/** @param values File with values, from the chart's folder; the chart's own where left out. */
export function renderChart(helm: string, values?: string) {
  const files = values ? ['--values', join(chart, values)] : [];
  return parseManifests(run(helm, ['template', 'outcomes', chart, '--kube-version', kubernetes, ...files]));
}

/** The same for single values, as --set takes them. */
export function renderWith(helm: string, values: readonly string[], release = 'outcomes') {
  const set = values.flatMap((value) => ['--set', value]);
  return parseManifests(run(helm, ['template', release, chart, '--kube-version', kubernetes, ...set]));
}

/** SHA-256 over everything that decides what the chart renders to. */
export function chartDigest() {
  const hash = createHash('sha256');
  for (const file of readdirSync(chart, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(yaml|tpl|json|cjs)$/.test(file)) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(chart, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
