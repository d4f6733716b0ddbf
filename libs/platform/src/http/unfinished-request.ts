import type { IncomingMessage } from 'node:http';
import { releaseBytes } from './release-bytes';

/** How long, and how much, a caller may go on sending what nobody wants, so that it reads the answer before a reset. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 64 * 1_024;

/**
 * Waits for what is left of a request whose answer is out already, and throws it away: closed at once, a caller that
 * is still sending would be reset before it has read the answer.
 * @param then - ends the connection; called once, when all is here, or the time is over, or the caller has gone
 */
export function linger(request: IncomingMessage, then: () => void): void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined = undefined;
  const end = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    then();
  };
  // The connection keeps the process alive, where anything does.
  timer = setTimeout(end, LINGER_MS).unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    releaseBytes(chunk);
    // The rest waits with the caller: reading it costs as much as any other body. A request that is paused itself
    // would keep what its socket goes on to bring.
    if (bytes > LINGER_BYTES) request.socket.pause();
  });
  request.once('end', end).once('close', end).resume();
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
