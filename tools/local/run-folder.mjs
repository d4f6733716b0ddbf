// @ts-check
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.mjs';
import { folderInMemory, memoryOf, removeWithMemory } from './memory-folder.mjs';
import { stopRemains } from './postgres.mjs';
import { ensureLocalDirectory, localDirectory, requireFreeSpace } from './settings.mjs';

/**
 * A folder for one run of this process, and `remove` for its end. Those that killed runs left are removed first, with
 * what still works in them: nobody holds their lock any more.
 * @param {'test' | 'bench' | 'suite'} kind
 */
export async function makeRunFolder(kind) {
  ensureLocalDirectory();
  await removeAbandoned(kind);
  await requireFreeSpace(500);
  const directory = join(localDirectory, `${kind}-${process.pid}`);
  mkdirSync(directory, { mode: 0o700 });
  const release = takeLock(lockIn(directory));
  const remove = () => {
    removeWithMemory(directory);
    release?.();
  };
  return { directory, remove };
}

/**
 * Where a run has its Postgres cluster.
 * @param {string} directory of the run
 * @param {{ inMemory?: boolean }} [options] `inMemory`: off the disk where there is enough memory
 */
export function clusterIn(directory, { inMemory = false } = {}) {
  return join((inMemory ? folderInMemory(directory) : memoryOf(directory)) ?? directory, 'postgres');
}

/** @param {string} kind */
async function removeAbandoned(kind) {
  for (const name of readdirSync(localDirectory)) {
    const directory = join(localDirectory, name);
    if (!new RegExp(`^${kind}-\\d+$`).test(name)) continue;
    const release = existsSync(lockIn(directory)) ? takeLock(lockIn(directory)) : () => {};
    if (!release) continue;
    await stopRemains(clusterIn(directory));
    removeWithMemory(directory);
    release();
  }
}

/** @param {string} directory */
function lockIn(directory) {
  return join(directory, 'lock');
}
