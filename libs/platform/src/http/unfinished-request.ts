import type { IncomingMessage } from 'node:http';
import { releaseBytes } from './release-bytes';

/** How long a caller may go on sending what nobody wants, so that it reads the answer before a reset. */
const LINGER_MS = 1_000;
/**
 * Milliseconds between two reads of that, of 64 KiB each, of all callers together. Unbounded, each refused body was read
 * at two mebibytes a turn of the event loop, which everybody else waits for; not read at all, they are thrown away by the
 * kernel at once when their connections close, which takes as long.
 */
const READ_EVERY_MS = 2;

/** performance.now() of the next read that nobody has taken yet. */
let nextReadMs = 0;

/**
 * Waits for what is left of a request whose answer is out already, and throws it away: closed at once, a caller that
 * is still sending would be reset before it has read the answer.
 * @param then - ends the connection; called once, when all is here, or the time is over, or the caller has gone
 */
export function linger(request: IncomingMessage, then: () => void): void {
  let read: NodeJS.Timeout | undefined = undefined;
  let timer: NodeJS.Timeout | undefined = undefined;
  const throwAway = () => {
    read = undefined;
    const chunk = request.read() as Buffer | null;
    if (chunk) releaseBytes(chunk);
  };
  // Not as a flowing stream, which takes two mebibytes of a socket at a time.
  const arrived = () => {
    read ??= setTimeout(throwAway, readAfter()).unref();
  };
  const end = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    clearTimeout(read);
    timer = undefined;
    request.off('readable', arrived);
    then();
  };
  // The connection keeps the process alive, where anything does.
  timer = setTimeout(end, LINGER_MS).unref();
  request.once('end', end).once('close', end).on('readable', arrived);
}

/** @returns milliseconds to the next read, which is the caller's now */
function readAfter(): number {
  const now = performance.now();
  const at = Math.max(now, nextReadMs);
  nextReadMs = at + READ_EVERY_MS;
  return at - now;
}

/** Whether all of a request has arrived. One that announces no body is its head; Node says so a little later. */
export function isWhole({ complete, headers }: IncomingMessage): boolean {
  if (complete || headers['transfer-encoding'] !== undefined) return complete;
  return headers['content-length'] === undefined || Number(headers['content-length']) === 0;
}

/** Waits until what came in one piece with the head of a request is read: whether it is here as a whole shows then. */
export function whenRead(request: IncomingMessage, then: () => void): void {
  if (isWhole(request)) then();
  else setImmediate(then);
}
