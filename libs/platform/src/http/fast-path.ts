import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { trace } from '@opentelemetry/api';
import type { ErrorFilter } from './error.filter';
import { Exchange } from './exchange';
import { requestIdFrom } from './request-id.middleware';
import type { RequestLog } from './request-log';

/** A route that is answered on node:http, without Express and Nest around it. */
export interface FastRoute {
  readonly method: 'GET' | 'POST';
  /** As it stands in the request line, without a query; in logs, too. */
  readonly path: string;
  /** Whether a request is of the plain kind that is answered here; the others go to the controller. */
  readonly takes: (request: IncomingMessage) => boolean;
  /** Sends the answer. What it throws is sent as every error is. */
  readonly answer: (exchange: Exchange) => Promise<void>;
}

/**
 * Answers the plain requests of hot routes before Express sees them: Express and Nest cost more per request than
 * such an answer. Each of them stays a route of its controller as well, which takes what is not plain and is what
 * the description of the API is made from. Call it once, before the app listens.
 */
export function serveFastPath(
  app: NestExpressApplication,
  { log, errors }: { readonly log: RequestLog; readonly errors: ErrorFilter },
  routes: readonly FastRoute[],
): void {
  const express = app.getHttpAdapter().getInstance();
  const server = app.getHttpServer();
  const byLine = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const isDirect = express.get('trust proxy') === 0;

  /** As Express finds it; without proxies it is the connection's. */
  const addressOf = ({ headers, socket }: IncomingMessage): string =>
    String(
      (isDirect
        ? socket.remoteAddress
        : Reflect.get(express.request, 'ip', { app: express, headers, socket })) ?? '',
    );

  const answer = (route: FastRoute, request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, addressOf(request), requestIdFrom(request.headers));
    response.on('close', () => {
      log.note({
        requestId: exchange.requestId,
        method: route.method,
        route: route.path,
        status: response.statusCode,
        seconds: (performance.now() - exchange.startedMs) / 1_000,
        aborted: !response.writableFinished,
      });
    });
    trace.getActiveSpan()?.setAttribute('http.route', route.path).updateName(`${route.method} ${route.path}`);
    route.answer(exchange).catch((thrown: unknown) => {
      errors.refuse(thrown, exchange);
    });
  };

  const [onward] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const route = byLine.get(`${request.method} ${request.url}`);
    if (route?.takes(request)) answer(route, request, response);
    else onward?.(request, response);
  });
}
