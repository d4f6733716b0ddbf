import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** The id of a request: the caller's own where it is harmless, else a fresh one. */
export function requestIdFrom(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
}
