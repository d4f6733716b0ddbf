import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** The id of a request: the caller's own where it is harmless, else a fresh one. */
export function requestIdFrom(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
}

/** Answers always carry the id of their request. */
export function requestIdMiddleware(request: Request, response: Response, next: NextFunction): void {
  const id = requestIdFrom(request.headers);
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId ?? '');
}
