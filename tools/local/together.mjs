// @ts-check

/**
 * Does several things at once. Where one fails, the others are told to stop, and the failure is passed on when they have.
 * @template T, U
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<T>} one
 * @param {(signal: AbortSignal) => Promise<U>} other
 * @returns {Promise<[T, U]>}
 */
export async function together(signal, one, other) {
  const abort = new AbortController();
  const either = AbortSignal.any([signal, abort.signal]);
  /** @param {unknown} error */
  const fail = (error) => {
    abort.abort(error);
    throw error;
  };
  const works = /** @type {const} */ ([one(either).catch(fail), other(either).catch(fail)]);
  await Promise.allSettled(works);
  abort.signal.throwIfAborted();
  return Promise.all(works);
}
