// @ts-check
import { isAlive, startingAncestors } from './processes.mjs';

/**
 * Watches for everything that means "stop": signals, and the death of the npm or shell that started this
 * process (kill -9 of `npm start` must not leave the rest running).
 *
 * A Ctrl-C arrives twice, from the terminal and once more forwarded by npm, so only one that comes at least
 * half a second later counts as the impatient second.
 * @param {{ stop: (reason: NodeJS.Signals | 'parent') => void, force: () => void }} actions Each called at most once.
 */
export function watchForShutdown({ stop, force }) {
  let first = 0;
  /** @param {NodeJS.Signals | 'parent'} reason */
  const request = (reason) => {
    const now = Date.now();
    if (first === 0) {
      first = now;
      stop(reason);
    } else if (reason !== 'parent' && now - first > 500) {
      force();
    }
  };
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, request);
  const ancestors = startingAncestors();
  const timer = setInterval(() => {
    if (ancestors.every(isAlive)) return;
    clearInterval(timer);
    request('parent');
  }, 500);
  timer.unref();
  // A terminal that is gone must not end the orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
