import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { RequestBodies, requireKnownQuery, type BodyOwner } from '@outcomes/limits';
import { CLOCK, type Clock, type Exchange } from '@outcomes/platform';
import { callerOf, type McpCaller } from '../access/mcp-caller.protocol';
import { eraOf, eraOfHead } from '../eras/era-choice.protocol';
import type { Era, Form } from '../eras/era.protocol';
import { faultAnswer, readMessage, resultAnswer, RpcFault, TOOLS_CALL } from '../json-rpc.protocol';
import type { RpcExchange } from './rpc-exchange.protocol';
import { FreeRequests } from './free-requests.service';
import { Protocol, type Asked } from './protocol.service';

const MAX_BODY_BYTES = 1_024 * 1_024;
const IS_JSON = /^\s*application\/json\s*(;|$)/i;

/** A message that was read, and why its era refuses it all the same, where it does. */
interface Received {
  readonly era: Era;
  readonly form: Form;
  readonly incoming: ReturnType<typeof readMessage>;
  readonly fault?: RpcFault;
}

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
    const { requestId, startedMs } = http;
    const exchange: RpcExchange = { caller, requestId, arrivedAt: this.clock.now(), startedMs, http };
    try {
      const { incoming, ...received } = await this.receive(http, caller);
      if (incoming.kind === 'notice') return http.send(202, '');
      await this.answerRequest(http, exchange, received.form, { ...received, request: incoming });
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      sendJson(http, 400, faultAnswer(null, error));
    }
  }

  private async answerRequest(
    http: Exchange,
    exchange: RpcExchange,
    form: Form,
    asked: Asked,
  ): Promise<void> {
    const { era, request } = asked;
    let json: string;
    let status = 200;
    try {
      const result = await this.protocol.ask(asked, exchange);
      json = resultAnswer(request.id, era.resultOf(request.method, result));
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      json = era.faultAnswer(request.id, error);
      status = error.status ?? 200;
    }
    const { refusal } = exchange;
    if (refusal) {
      http.setHeaders(refusal.headers);
      sendJson(http, refusal.status, JSON.stringify(refusal.body));
    } else if (form === 'json' || status !== 200) sendJson(http, status, json);
    else sendEvent(http, json);
  }

  /**
   * The message of a request. Calls of tools are counted where they are judged, everything else here, also where it
   * is refused.
   */
  private async receive(http: Exchange, caller: McpCaller): Promise<Received> {
    let received: Received | undefined;
    let fault: unknown;
    try {
      received = await this.read(http, caller);
    } catch (error) {
      fault = error;
    }
    const { kind, method } = received?.incoming ?? {};
    if (received && kind === 'request' && method === TOOLS_CALL) return received;
    await this.free.count(http, caller);
    if (!caller.mayRead) throw new AppError('Forbidden');
    if (received) return received;
    throw fault;
  }

  private async read(http: Exchange, caller: McpCaller): Promise<Received> {
    const { request } = http;
    const { headers } = request;
    requirePost(request);
    requireKnownQuery(request.url ?? '', []);
    const form = eraOfHead(headers).formOf(headers.accept ?? '');
    requireJson(request);
    // What a message is of shows when it is here. Who has sent too much that was no call is not waited for.
    const refusal = this.free.refusalOf(caller);
    if (refusal && !(await isHere(request))) throw refusal;
    const body = await this.bodies.read(http, ownerOf(caller), MAX_BODY_BYTES);
    const incoming = readMessage(body);
    const era = eraOf(incoming, headers);
    const fault = era.judge(incoming, headers);
    if (fault && incoming.kind !== 'request') throw fault;
    return { era, form, incoming, fault };
  }
}

/** Whether a request came as a whole; what is in one piece with its head is read in this turn. */
async function isHere(request: IncomingMessage): Promise<boolean> {
  if (!request.complete) await nextTurn();
  return request.complete;
}

/** Who serves several tenants pays for bodies as itself: for which of them one is, stands in the body. */
function ownerOf({ home, identity: { keyId } }: McpCaller): BodyOwner {
  return { companyId: home?.companyId ?? keyId, keyId };
}

function requirePost(request: IncomingMessage): void {
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', {}, { headers: { Allow: 'POST' } });
}

function requireJson({ headers: { 'content-type': type = '' } }: IncomingMessage): void {
  if (type === 'application/json' || IS_JSON.test(type)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: 'Content-Type must be application/json.' });
}

/** One message, then the end: the whole answer is known, so nothing is gained by leaving the stream open. */
function sendEvent(http: Exchange, json: string): void {
  http.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  http.setHeader('Cache-Control', 'no-cache, no-transform');
  http.setHeader('X-Accel-Buffering', 'no');
  http.send(200, `event: message\ndata: ${json}\n\n`);
}

function sendJson(http: Exchange, status: number, json: string): void {
  http.setHeader('Content-Type', 'application/json; charset=utf-8');
  http.send(status, json);
}
