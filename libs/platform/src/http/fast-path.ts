import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { trace } from '@opentelemetry/api';
import type { ErrorFilter } from './error.filter';
import { Exchange } from './exchange';
import { requestIdFrom } from './request-id.middleware';
import type { RequestLog } from './request-log';
import { faultOfHead } from './server-edge';
import { sourceAddress } from './source-address';
import { closeUnfinished } from './unfinished-request';

/** Addresses whose one name is remembered; beyond, all are forgotten at once. */
const MOST_ADDRESSES = 10_000;

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
 * Looks at the head of every request, and answers the plain requests of hot routes before Express sees them: Express
 * and Nest cost more per request than such an answer. Each of them stays a route of its controller as well, which
 * takes what is not plain and is what the description of the API is made from. Call it once, before the app listens.
 * @returns adds routes
 */
export function serveFastPath(
  app: NestExpressApplication,
  { log, errors }: { readonly log: RequestLog; readonly errors: ErrorFilter },
): (routes: readonly FastRoute[]) => void {
  const express = app.getHttpAdapter().getInstance();
  const server = app.getHttpServer();
  const byLine = new Map<string, FastRoute>();
  const addressOf = addressesOf(express);

  const begin = (request: IncomingMessage, response: ServerResponse, route: string): Exchange => {
    const exchange = new Exchange(request, response, addressOf(request), requestIdFrom(request.headers));
    response.on('close', () => {
      log.note({
        requestId: exchange.requestId,
        method: request.method ?? '',
        route,
        status: response.statusCode,
        seconds: (performance.now() - exchange.startedMs) / 1_000,
        aborted: !response.writableFinished,
      });
      closeUnfinished(request);
    });
    return exchange;
  };

  const answer = (route: FastRoute, request: IncomingMessage, response: ServerResponse): void => {
    const exchange = begin(request, response, route.path);
    trace.getActiveSpan()?.setAttribute('http.route', route.path).updateName(`${route.method} ${route.path}`);
    route.answer(exchange).catch((thrown: unknown) => {
      errors.refuse(thrown, exchange);
    });
  };

  const [onward] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const fault = faultOfHead(request);
    if (fault) return errors.refuse(fault, begin(request, response, 'unmatched'));
    const route = byLine.get(`${request.method} ${request.url}`);
    if (route?.takes(request)) answer(route, request, response);
    else onward?.(request, response);
  });
  return (routes) => routes.forEach((route) => byLine.set(`${route.method} ${route.path}`, route));
}

/**
 * Makes `request.ip` of Express one name per sender, and finds the same without Express: the address of the
 * connection, or what the trusted proxies say of it.
 */
function addressesOf(
  express: ReturnType<ReturnType<NestExpressApplication['getHttpAdapter']>['getInstance']>,
) {
  const isDirect = express.get('trust proxy') === 0;
  const names = new Map<string, string>();
  const nameOf = (written: string): string => {
    const known = names.get(written);
    if (known !== undefined) return known;
    if (names.size >= MOST_ADDRESSES) names.clear();
    const name = sourceAddress(written);
    names.set(written, name);
    return name;
  };
  const byExpress = Object.getPrototypeOf(express.request) as object;
  const find = (request: object): string => nameOf(String(Reflect.get(byExpress, 'ip', request) ?? ''));
  Object.defineProperty(express.request, 'ip', {
    configurable: true,
    get(this: object) {
      return find(this);
    },
  });
  return ({ headers, socket }: IncomingMessage): string =>
    isDirect ? nameOf(socket.remoteAddress ?? '') : find({ app: express, headers, socket });
}
