import type { NextFunction, Request, Response } from 'express';
import { requestIdOf } from './request-id.middleware';
import type { RequestLog } from './request-log';
import { closeUnfinished } from './unfinished-request';

/** One log line and one observation per request. */
export function accessLogMiddleware(log: RequestLog) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.once('close', () => {
      log.note({
        requestId: requestIdOf(response),
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        seconds: (performance.now() - started) / 1_000,
        aborted: !response.writableFinished,
      });
      closeUnfinished(request);
    });
    next();
  };
}

function routeOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'unmatched';
}
