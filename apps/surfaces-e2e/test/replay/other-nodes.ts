import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@outcomes/testing';
import type { Replay } from '@outcomes/statistics';
import type { VariedDecision } from './varied-decisions';

const execute = promisify(execFile);
const FOLDER = join(__dirname, '../../../../.local/nodes');

export interface Replayed {
  /** Version of the Node that did it. */
  readonly node: string;
  readonly engine: string;
  readonly results: readonly Replay[];
}

/**
 * A Node of another version, in a folder of its own.
 * @param major - version of which the registry's newest is taken, the first time
 * @throws where it cannot be had
 */
export async function nodeOf(major: number): Promise<string> {
  const folder = join(FOLDER, String(major));
  const node = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Without a word about scripts: the package fetches the one for this machine by its own.
    const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false'];
    await execute('npm', ['install', ...options, `node@${major}`], { cwd: folder, timeout: 300_000 });
  }
  const { stdout } = await execute(node, ['--version'], { timeout: 30_000 });
  if (!stdout.startsWith(`v${major}.`)) throw new Error(`${node} is ${stdout.trim()}`);
  return node;
}

/**
 * Makes decisions again in another process.
 * @param node - its program
 * @param moved - whether the platform's functions are to give other last bits
 */
export async function replayedOn(
  node: string,
  decisions: readonly VariedDecision[],
  moved = false,
): Promise<Replayed> {
  const script = join(__dirname, 'replaying-node.mjs');
  const child = spawn(node, [script, ...(moved ? ['moved'] : [])], {
    env: inheritedEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 120_000,
  });
  const models = new Map(decisions.map(({ stored }) => [stored.sha256, stored.body]));
  const given = {
    models: Object.fromEntries(models),
    decisions: decisions.map(({ row: { modelSha256, inputs, result } }) => ({
      ...{ model: modelSha256, inputs, result },
    })),
  };
  child.stdin.end(JSON.stringify(given));
  return (await json(child.stdout)) as Replayed;
}
