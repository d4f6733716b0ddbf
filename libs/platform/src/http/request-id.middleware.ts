import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** The id of a request: the caller's own where it is harmless, else a fresh one. Answers always carry it. */
export function requestIdMiddleware(request: Request, response: Response, next: NextFunction): void {
  const sent = request.get('x-request-id');
  const id = sent && ACCEPTABLE.test(sent) ? sent : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId ?? '');
}
