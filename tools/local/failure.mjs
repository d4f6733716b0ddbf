// @ts-check

/** An expected failure: its message is everything the person at the terminal needs, so no stack is shown. */
export class Failure extends Error {}

/**
 * What to print for an error: one clear line for everything that can happen to a healthy project on an
 * unlucky machine, the stack for anything else.
 * @param {unknown} error
 * @returns {string}
 */
export function describe(error) {
  if (error instanceof Failure) return error.message;
  const { code, path, syscall } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk is full${path ? ` (writing ${path})` : ''}: free some space and start again.`;
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code ?? '') && path && !syscall?.startsWith('spawn')) {
    return `No permission to write ${path}: was it made by another user, or is its folder read-only? Change that, or remove it.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
