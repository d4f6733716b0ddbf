// @ts-check
import { describe, Failure } from './failure.mjs';
import { diskIsFull } from './settings.mjs';

/**
 * Runs a program to its end: what goes wrong becomes a clear line on standard error and a code other than 0.
 * @param {() => Promise<void>} main
 */
export async function program(main) {
  try {
    await main();
  } catch (error) {
    console.error(describe(error));
    if (error instanceof Failure && (await diskIsFull())) {
      console.error('The disk is full: free some space and start again.');
    }
    process.exitCode ||= 1;
  }
  // Nothing may keep a finished program waiting, such as a connection that is slow to close.
  process.exit();
}
