import { createWriteStream, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeInterruption } from './interruption';
import { remark } from './terminal';

/**
 * Writes a file that nobody else may read, and that is there whole or not at all: it has another name until it is complete,
 * and nothing is left of it where it cannot be, or where the program is interrupted.
 */
export async function writeWholeFile(
  file: string,
  contents: AsyncIterable<string> | AsyncIterable<Buffer>,
): Promise<void> {
  const partial = partialOf(file);
  const takeBack = leaveNothingOf(file);
  try {
    await pipeline(Readable.from(contents), createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    takeBack();
  }
}

/** What a file is called until it is complete. */
export function partialOf(file: string): string {
  return `${file}.partial`;
}

/**
 * Removes what is written of a file where the program is interrupted, and says so.
 * @returns what takes that back
 */
export function leaveNothingOf(file: string): () => void {
  return beforeInterruption(() => {
    rmSync(partialOf(file), { force: true });
    remark(`outcomes: interrupted: ${file} was not written, and nothing of it is left.`);
  });
}
