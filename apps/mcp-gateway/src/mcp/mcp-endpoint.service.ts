import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { RequestBodies, type BodyOwner } from '@outcomes/limits';
import { CLOCK, type Clock, type Exchange } from '@outcomes/platform';
import { callerOf, type Caller } from '../access';
import { faultAnswer, readMessage, requireSupportedVersion, RpcFault, TOOLS_CALL } from '../json-rpc';
import type { Incoming } from '../json-rpc';
import type { RpcExchange } from './index';
import { FreeRequests } from './free-requests.service';
import { Protocol } from './protocol.service';

const MAX_BODY_BYTES = 1_024 * 1_024;
const IS_JSON = /^\s*application\/json\s*(;|$)/i;
const NAMES_JSON = namesType('application/json');
const NAMES_EVENTS = namesType('text/event-stream');

/**
 * The HTTP side of the protocol, its checks in a fixed order. Until the body is JSON, HTTP refuses with the error
 * body of every surface; from there on JSON-RPC refuses.
 */
@Injectable()
export class McpEndpoint {
  constructor(
    private readonly protocol: Protocol,
    @Inject(RequestBodies) private readonly bodies: RequestBodies,
    private readonly free: FreeRequests,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError what HTTP refuses */
  async answer(http: Exchange): Promise<void> {
    const caller = callerOf(http);
    const { requestId, startedMs, setHeader } = http;
    const exchange: RpcExchange = { caller, requestId, arrivedAt: this.clock.now(), startedMs, setHeader };
    try {
      const incoming = await this.receive(http, caller);
      if (incoming.kind === 'notice') return http.send(202, '');
      const json = await this.protocol.ask(incoming.request, exchange);
      sendAnswer(http, exchange, json);
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      sendJson(http, 400, faultAnswer(null, error));
    }
  }

  /**
   * The message of a request. Calls of tools are counted where they are judged, everything else here, also where it
   * is refused.
   */
  private async receive(http: Exchange, caller: Caller): Promise<Incoming> {
    let incoming: Incoming | undefined;
    let fault: unknown;
    try {
      incoming = await this.read(http, caller);
    } catch (error) {
      fault = error;
    }
    if (incoming?.kind === 'request' && incoming.request.method === TOOLS_CALL) return incoming;
    await this.free.count(caller);
    if (!caller.mayRead) throw new AppError('Forbidden');
    if (incoming) return incoming;
    throw fault;
  }

  private async read(http: Exchange, caller: Caller): Promise<Incoming> {
    const { request } = http;
    requirePost(request);
    requireBothTypes(request);
    requireJson(request);
    // What a message is of shows when it is here. Who has sent too much that was no call is not waited for.
    const refusal = this.free.refusalOf(caller);
    if (refusal && !(await isHere(request))) throw refusal;
    const body = await this.bodies.read(http, ownerOf(caller), MAX_BODY_BYTES);
    const incoming = readMessage(body);
    requireSupportedVersion(request.headers['mcp-protocol-version']);
    return incoming;
  }
}

/** Whether a request came as a whole; what is in one piece with its head is read in this turn. */
async function isHere(request: IncomingMessage): Promise<boolean> {
  if (!request.complete) await nextTurn();
  return request.complete;
}

/** Who serves several tenants pays for bodies as itself: for which of them one is, stands in the body. */
function ownerOf({ home, identity: { keyId } }: Caller): BodyOwner {
  return { companyId: home?.companyId ?? keyId, keyId };
}

function requirePost(request: IncomingMessage): void {
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', {}, { headers: { Allow: 'POST' } });
}

/** As the SDK's clients write it. */
const USUAL_ACCEPT = 'application/json, text/event-stream';

function requireBothTypes({ headers: { accept = '' } }: IncomingMessage): void {
  if (accept === USUAL_ACCEPT) return;
  if (NAMES_JSON.test(accept) && NAMES_EVENTS.test(accept)) return;
  const message = 'Not Acceptable: the Accept header must name both application/json and text/event-stream.';
  throw new AppError('NOT_ACCEPTABLE', {}, { message });
}

function requireJson({ headers: { 'content-type': type = '' } }: IncomingMessage): void {
  if (type === 'application/json' || IS_JSON.test(type)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: 'Content-Type must be application/json.' });
}

/** One message, then the end: the whole answer is known, so nothing is gained by leaving the stream open. */
function sendAnswer(http: Exchange, { refusal }: RpcExchange, json: string): void {
  if (refusal) {
    http.setHeaders(refusal.headers);
    return sendJson(http, refusal.status, JSON.stringify(refusal.body));
  }
  http.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  http.setHeader('Cache-Control', 'no-cache, no-transform');
  http.setHeader('X-Accel-Buffering', 'no');
  http.send(200, `event: message\ndata: ${json}\n\n`);
}

function sendJson(http: Exchange, status: number, json: string): void {
  http.setHeader('Content-Type', 'application/json; charset=utf-8');
  http.send(status, json);
}

/** Finds a media type in an Accept header, with any parameters but a q of 0. */
function namesType(type: string): RegExp {
  return new RegExp(`(^|,)\\s*${type}\\s*(,|$|;(?![^,]*q=0(\\.0*)?\\s*(,|;|$)))`, 'i');
}
