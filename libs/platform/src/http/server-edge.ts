import { randomUUID } from 'node:crypto';
import {
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { AppError, errorBodyOf, type ErrorCode } from '@outcomes/contracts';
import { Counter, type Registry } from 'prom-client';
import type { ServiceConfig } from '../config/load-config';
import type { Clock } from '../runtime/clock';
import type { RequestLog } from './request-log';

/** How often Node looks for requests that take too long: no time-out below is kept more exactly than this. */
const CHECK_EVERY_MS = 1_000;

/** Codes of Node and of its parser; everything else that the parser refuses is malformed. */
const BY_CODE: Readonly<Record<string, ErrorCode | undefined>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Nobody is there any more who could be told. */
const HUNG_UP = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'];

interface Edge {
  readonly config: Pick<ServiceConfig, 'BODY_TIMEOUT_MS' | 'MAX_CONNECTIONS'>;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly registry: Registry;
}

/** What a public server is made with. */
export function serverOptions({ BODY_TIMEOUT_MS }: Edge['config']): ServerOptions {
  return {
    headersTimeout: 10_000,
    // Bodies have a time-out of their own, which answers better than this one.
    requestTimeout: BODY_TIMEOUT_MS + 10_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    requireHostHeader: false,
    // A header that may stand once only is then told by the comma in it.
    joinDuplicateHeaders: true,
    // Of a request that announces no body nobody reads one: its stream need not be run dry, which costs 2 us.
    optimizeEmptyRequests: true,
    // Half of what Node reads at once, so that it waits behind one such piece for whoever reads the body. Behind two, both
    // are copied into one, and the memory of all three is left to the collector: bodies that are thrown away had it stop
    // the process once a second.
    highWaterMark: 32 * 1_024,
  };
}

/**
 * Bounds of a public server, and its answers where there is no request that anything could be asked about: the same
 * error body as everywhere, with an id, a line in the log and a metric.
 */
export function boundServer(server: Server, { config, log, clock, registry }: Edge): void {
  // A stream that nobody reads.
  server.timeout = 60_000;
  server.maxConnections = config.MAX_CONNECTIONS;
  const refusals = new Counter({
    name: 'http_connections_refused_total',
    help: 'Connections closed over what is no request, or over too many connections, by the error.',
    labelNames: ['error'],
    registers: [registry],
  });
  server.on('drop', () => refusals.inc({ error: 'TOO_MANY_CONNECTIONS' }));
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
    if (HUNG_UP.includes(fault.code ?? '')) return socket.destroy();
    const error = new AppError(BY_CODE[fault.code ?? ''] ?? 'INVALID_REQUEST');
    refusals.inc({ error: error.code });
    if (!mayAnswer(socket)) return socket.destroy();
    const requestId = randomUUID();
    log.note({ requestId, method: '-', route: 'unread', status: error.status, seconds: 0, aborted: false });
    socket.end(rawAnswer(error, requestId, clock.now()), () => socket.destroy());
  });
  // Whether the body is wanted is for who reads it to say.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/**
 * What is wrong with the head of a request on any surface (RFC 9112, 3.2 and 6.1; RFC 9110, 10.1.1), or undefined.
 * @param request - of a server with `joinDuplicateHeaders`
 */
export function faultOfHead({ headers, httpVersionMinor }: IncomingMessage): AppError | undefined {
  const { host } = headers;
  if (host === undefined ? httpVersionMinor === 1 : host.includes(',')) {
    return new AppError('INVALID_REQUEST', {}, { message: 'Send the Host header, once.' });
  }
  const { authorization, expect } = headers;
  const coding = headers['transfer-encoding'];
  if (authorization?.includes(', ') && /, *(bearer|basic) /i.test(authorization)) {
    return new AppError('CONFLICTING_CREDENTIALS', {}, { message: 'Send the Authorization header once.' });
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new AppError('NOT_IMPLEMENTED');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new AppError('EXPECTATION_FAILED');
  return undefined;
}

/** Not where an answer is being sent already: Node keeps the present one at its socket, as it reads itself here. */
function mayAnswer(socket: Socket): boolean {
  const present = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined;
  return socket.writable && !present?.headersSent;
}

function rawAnswer(error: AppError, requestId: string, at: Date): string {
  const body = JSON.stringify(errorBodyOf(error, requestId, at));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
