import type { NextFunction, Request, Response } from 'express';
import type { Histogram } from 'prom-client';
import type { Logger } from '../logging/logger';
import { requestIdOf } from './request-id.middleware';

/** One log line and one observation per request. The route pattern is named, never the path: paths hold ids. */
export function accessLogMiddleware(logger: Logger, durations: Histogram) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const route = routeOf(request);
      durations.observe({ method: request.method, route, status: String(response.statusCode) }, seconds);
      logger.info(
        {
          requestId: requestIdOf(response),
          method: request.method,
          route,
          status: response.statusCode,
          ms: Math.round(seconds * 1e5) / 100,
          aborted: !response.writableFinished,
        },
        'request',
      );
    });
    next();
  };
}

function routeOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'unmatched';
}
