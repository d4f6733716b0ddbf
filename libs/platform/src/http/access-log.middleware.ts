import type { NextFunction, Request, Response } from 'express';
import type { Histogram } from 'prom-client';
import type { Logger } from '../logging/logger';
import { requestIdOf } from './request-id.middleware';

/** One log line and one observation per request. The route pattern is named, never the path: paths hold ids. */
export function accessLogMiddleware(logger: Logger, durations: Histogram) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1_000;
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
