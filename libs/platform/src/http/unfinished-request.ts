import type { IncomingMessage } from 'node:http';

/** How long, and how much, a caller may go on sending what nobody wants, so that it reads the answer before a reset. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 64 * 1_024;

/**
 * Ends the connection of an answered request that has not arrived as a whole: what is left of it would otherwise be
 * read as the next request, or keep the connection for as long as the caller likes. Closed at once, a caller that is
 * still sending would be reset before it has read the answer, so what comes meanwhile is thrown away.
 */
export function closeUnfinished(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed || socket.writableEnded) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The rest waits with the caller: reading it costs as much as any other body.
    if (bytes > LINGER_BYTES) request.pause();
  });
  request.once('end', () => socket.destroy()).resume();
}

/**
 * Has the connection of a request that is not here as a whole end with its answer, gently.
 * @returns whether it will, which the answer should say: `Connection: close`
 */
export function closesWithAnswer(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { socket } = request;
  const closeAtOnce = socket.destroySoon.bind(socket);
  // What Node calls once such an answer is out.
  socket.destroySoon = () => (request.complete ? closeAtOnce() : closeUnfinished(request));
  return true;
}

/** Waits until what came in one piece with the head of a request is read: whether it is here as a whole shows then. */
export function whenRead(request: IncomingMessage, then: () => void): void {
  if (request.complete) then();
  else setImmediate(then);
}
