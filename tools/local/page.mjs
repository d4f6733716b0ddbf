// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { run } from './processes.mjs';
import { root } from './settings.mjs';

const project = join(root, 'apps/console-web');
/** The last file that is written, so that a build which was broken off counts for nothing. */
const built = join(root, 'apps/console/page/complete');
/** What the page is made of. */
const sources = [
  ...['src', 'public', 'index.html', 'vite.config.mjs'].map((name) => join(project, name)),
  ...['contracts', 'statistics', 'source-profiles'].map((name) => join(root, 'libs', name, 'src')),
  join(root, 'package-lock.json'),
];

/**
 * Builds the page of the console where something that it is made of is newer; otherwise it takes no time.
 * @param {AbortSignal} signal
 */
export async function buildPage(signal) {
  if (!existsSync(project) || !isStale()) return;
  const command = [
    process.execPath,
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
  ];
  const { code, output } = await run(command, { cwd: project, signal, timeout: 300_000 });
  signal.throwIfAborted();
  if (code !== 0) throw new Failure(`${output.trim()}\nThe page of the console could not be built.`);
}

function isStale() {
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  return sources.some((path) => newestOf(path) > since);
}

/** @param {string} path @returns {number} */
function newestOf(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))));
}
