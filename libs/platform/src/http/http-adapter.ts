import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { trace } from '@opentelemetry/api';
import express, { type Application, type Request } from 'express';
import type { ServiceConfig } from '../config/load-config';
import { createLogger, traceOf } from '../logging/logger';
import { systemClock } from '../runtime/clock';
import type { Management } from '../runtime/management';
import { writeJson, type AnswerWriter } from './answer-writer';
import { ErrorFilter } from './error.filter';
import { Exchange, exchangeOf } from './exchange';
import { requestIdFrom } from './request-id';
import { RequestLog } from './request-log';
import { boundServer, faultOfHead, serverOptions } from './server-edge';
import { senderOf, sourceAddress } from './source-address';
import { linger } from './unfinished-request';

/** Addresses whose one name is remembered; beyond, all are forgotten at once. */
const MAX_ADDRESSES = 10_000;

/** A route that is answered on node:http, without Express and Nest around it. */
export interface DirectRoute {
  readonly method: string;
  /** As it stands in the request line, without a query; in logs, too. */
  readonly path: string;
  /** Whether a request is of the plain kind that is answered here; the others go to the framework. */
  readonly takes?: ((request: IncomingMessage) => boolean) | undefined;
  /** Sends the answer. What it throws is sent as every error is. */
  readonly answer: (exchange: Exchange) => Promise<void>;
}

export interface HttpParts {
  readonly config: ServiceConfig;
  readonly management: Management;
  /** Of the service, in logs. */
  readonly name: string;
}

/**
 * The public HTTP side of a service: the server and what every request goes through. It makes an exchange of each
 * request, refuses what is wrong with its head, answers direct routes at once, and has Express and Nest find the
 * handlers of all others. Whoever found the handler, answers and errors are written here.
 */
export class HttpAdapter extends ExpressAdapter {
  readonly log: RequestLog;
  /** Writes what handlers return. */
  writer: AnswerWriter = writeJson;
  private readonly errors: ErrorFilter;
  private readonly routes = new Map<string, DirectRoute>();
  private readonly senders = new Map<string, string>();

  constructor(private readonly parts: HttpParts) {
    super(expressApplication());
    const { config, management, name } = parts;
    this.log = new RequestLog(name, config.LOG_LEVEL, management.registry);
    this.errors = new ErrorFilter(createLogger(name, config.LOG_LEVEL), systemClock);
  }

  /** Has every error of an application written in the one body. */
  prepare(app: INestApplication): void {
    app.useGlobalFilters(this.errors);
  }

  /** Adds routes; to be called before the server listens. */
  serve(routes: readonly DirectRoute[]): void {
    for (const route of routes) this.routes.set(`${route.method} ${route.path}`, route);
  }

  override initHttpServer(): void {
    const { config, management } = this.parts;
    const onward = this.getInstance<RequestListener>();
    const server = createServer(serverOptions(config), (request, response) =>
      this.receive(request, response, onward),
    );
    boundServer(server, { config, log: this.log, clock: systemClock, registry: management.registry });
    this.setHttpServer(server);
  }

  /** What a handler returned to Nest. */
  override reply(response: ServerResponse, data: unknown, status?: number): void | Promise<void> {
    const exchange = exchangeOf(response.req);
    // A handler that was given the exchange may have answered by itself.
    if (!exchange.isAnswered) return this.writer(exchange, data, status ?? response.statusCode);
  }

  private receive(request: IncomingMessage, response: ServerResponse, onward: RequestListener): void {
    const exchange = new Exchange(
      request,
      response,
      this.nameOf(senderOf(request, this.parts.config.TRUSTED_PROXIES)),
      requestIdFrom(request.headers),
      this.note,
    );
    response.on('close', () => {
      exchange.close();
      if (!exchange.isWhole) endConnection(request);
    });
    exchange.traceId = traceOf().traceId;
    const fault = faultOfHead(request);
    if (fault) return this.errors.refuse(fault, exchange);
    const route = this.routes.get(`${request.method} ${request.url}`);
    if (route && (route.takes === undefined || route.takes(request))) return this.answer(route, exchange);
    exchange.handOver();
    onward(request, response);
  }

  private answer(route: DirectRoute, exchange: Exchange): void {
    exchange.route = route.path;
    trace.getActiveSpan()?.setAttribute('http.route', route.path).updateName(`${route.method} ${route.path}`);
    route.answer(exchange).catch((thrown: unknown) => {
      this.errors.refuse(thrown, exchange);
    });
  }

  private readonly note = (exchange: Exchange, aborted: boolean): void => {
    const { request, requestId, response, startedMs } = exchange;
    this.log.note({
      requestId,
      traceId: exchange.traceId,
      method: request.method ?? '',
      route: exchange.route ?? routeOf(request as Request),
      status: response.statusCode,
      seconds: (performance.now() - startedMs) / 1_000,
      aborted,
    });
  };

  /** One name for one sender. */
  private nameOf(written: string): string {
    const known = this.senders.get(written);
    if (known !== undefined) return known;
    if (this.senders.size >= MAX_ADDRESSES) this.senders.clear();
    const name = sourceAddress(written);
    this.senders.set(written, name);
    return name;
  }
}

/** Its settings stand before the first use: the router is made with them. */
function expressApplication(): Application {
  const application = express();
  application.disable('x-powered-by');
  application.disable('etag');
  application.set('query parser', 'simple');
  application.enable('case sensitive routing');
  return application;
}

/** The pattern under which Express found a handler. */
function routeOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'unmatched';
}

/** What is left of an answered request would be read as the next one. */
function endConnection(request: IncomingMessage): void {
  const { socket } = request;
  if (socket.destroyed) return;
  socket.end();
  linger(request, () => socket.destroy());
}
