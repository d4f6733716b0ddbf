import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { CLOCK, requestIdOf, type Clock } from '@outcomes/platform';
import { raw, type Request, type Response } from 'express';
import { callerOf } from '../access';
import { faultAnswer, readMessage, requireSupportedVersion, RpcFault } from '../json-rpc';
import type { Exchange } from './index';
import { Protocol } from './protocol.service';

const MAX_BODY_BYTES = 1024 * 1024;
const IS_JSON = /^\s*application\/json\s*(;|$)/i;
const NAMES_JSON = namesType('application/json');
const NAMES_EVENTS = namesType('text/event-stream');
const readBytes = promisify<Request, Response, void>(raw({ type: () => true, limit: MAX_BODY_BYTES }));

/**
 * The HTTP side of the protocol, its checks in a fixed order. Until the body is JSON, HTTP refuses with the error
 * body of every surface; from there on JSON-RPC refuses.
 */
@Injectable()
export class McpEndpoint {
  constructor(
    private readonly protocol: Protocol,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(request: Request, response: Response): Promise<void> {
    const exchange = this.begin(request, response);
    requirePost(request);
    requireBothTypes(request);
    requireJson(request);
    const body = await readBody(request, response);
    try {
      const incoming = readMessage(body);
      requireSupportedVersion(request.headers['mcp-protocol-version']);
      if (incoming.kind === 'notice') return void response.status(202).end();
      const json = await this.protocol.ask(incoming.request, exchange);
      writeAnswer(response, exchange, json);
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      response.status(400).type('application/json').send(faultAnswer(null, error));
    }
  }

  private begin(request: Request, response: Response): Exchange {
    return {
      caller: callerOf(request),
      requestId: requestIdOf(response),
      arrivedAt: this.clock.now(),
      startedMs: performance.now(),
      headers: {},
    };
  }
}

function requirePost(request: Request): void {
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', {}, { headers: { Allow: 'POST' } });
}

function requireBothTypes({ headers: { accept = '' } }: Request): void {
  if (NAMES_JSON.test(accept) && NAMES_EVENTS.test(accept)) return;
  const message = 'Not Acceptable: the Accept header must name both application/json and text/event-stream.';
  throw new AppError('NOT_ACCEPTABLE', {}, { message });
}

function requireJson({ headers }: Request): void {
  if (IS_JSON.test(headers['content-type'] ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: 'Content-Type must be application/json.' });
}

async function readBody(request: Request, response: Response): Promise<Buffer> {
  await readBytes(request, response);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** One message, then the end: the whole answer is known, so nothing is gained by leaving the stream open. */
function writeAnswer(response: Response, { headers, refusal }: Exchange, json: string): void {
  if (refusal) return void response.status(refusal.status).set(refusal.headers).json(refusal.body);
  const event = `event: message\ndata: ${json}\n\n`;
  response
    .writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Without it the answer goes out in chunks, which are written one by one.
      'Content-Length': Buffer.byteLength(event),
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    })
    .end(event);
}

/** Finds a media type in an Accept header, with any parameters but a q of 0. */
function namesType(type: string): RegExp {
  return new RegExp(`(^|,)\\s*${type}\\s*(,|$|;(?![^,]*q=0(\\.0*)?\\s*(,|;|$)))`, 'i');
}
