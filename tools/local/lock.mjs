// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { onPath } from './processes.mjs';

/**
 * Takes a lock that the kernel drops when this process ends, however it ends: flock(1) locks the open file
 * that it shares with us, and the lock outlives it. Nothing stale is ever left, nothing has to be guessed.
 * @param {string} file
 * @param {number} seconds How long to wait for whoever holds it.
 * @returns {(() => void) | undefined} What gives it back; undefined where somebody else holds it.
 */
export function takeLock(file, seconds = 0) {
  const descriptor = openSync(file, 'a', 0o600);
  const flock = onPath('flock');
  // Without flock (not Linux) there is no embedded Postgres to protect either.
  if (!flock) return () => closeSync(descriptor);
  const wait = seconds > 0 ? ['-w', String(seconds)] : ['-n'];
  const { status } = spawnSync(flock, [...wait, '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  if (status === 0) return () => closeSync(descriptor);
  closeSync(descriptor);
  return undefined;
}
