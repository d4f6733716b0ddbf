// @ts-check
import { randomBytes } from 'node:crypto';
import { mkdirSync, readlinkSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory, for everybody. */
const files = '/dev/shm';
const tmpfs = 0x01021994;
/** Sixteen times what the databases of all tests were seen to take. */
const enough = 4 * 2 ** 30;
/** The link from a folder on the disk to the one in memory that goes with it. */
const link = 'memory';

/**
 * A folder in memory that belongs to one on the disk, for files that are made and removed by the hundred thousand: each
 * test database has six hundred, and the disk's file system takes five times the CPU for them.
 * @param {string} directory
 * @returns {string | undefined} Undefined where memory is short, or the system has no such place.
 */
export function folderInMemory(directory) {
  if (!hasEnough()) return undefined;
  const folder = join(files, `outcomes-${randomBytes(8).toString('hex')}`);
  // The link first: a folder that nobody knows of would be left by whoever is killed in between.
  symlinkSync(folder, join(directory, link));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function hasEnough() {
  try {
    const { type, bavail, bsize } = statfsSync(files);
    return type === tmpfs && Math.min(bavail * bsize, process.availableMemory()) >= enough;
  } catch {
    return false;
  }
}

/** @param {string} directory @returns {string | undefined} Its folder in memory, where it has one. */
export function memoryOf(directory) {
  try {
    return readlinkSync(join(directory, link));
  } catch {
    return undefined;
  }
}

/** @param {string} directory is removed, and what it has in memory. */
export function removeWithMemory(directory) {
  const folder = memoryOf(directory);
  if (folder) rmSync(folder, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}
