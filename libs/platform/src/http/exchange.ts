import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@outcomes/contracts';
import { isWhole, linger } from './unfinished-request';

const NO_BODY = Buffer.alloc(0);

/** Something that a request holds until its answer is out. */
export interface Held {
  release(): void;
}

/** What a framework around the handlers is given to find the exchange of a request by. */
const handedOver = new WeakMap<IncomingMessage, Exchange>();

/**
 * One request and its answer, from the first byte to the last: every step of a request is a function of it, whoever
 * calls that step. The fields of the answer are kept here until its head is written, unless a framework that sets
 * fields of its own takes part (`handOver`).
 */
export class Exchange {
  /** Header fields of the answer, whatever the answer is: names and values in turn, as `writeHead` takes them. */
  private fields: string[] | undefined;
  private isEnded = false;
  /** performance.now() on arrival. */
  readonly startedMs = performance.now();
  /** In logs and metrics: the pattern of the route, never the path. */
  route: string | undefined = undefined;
  /** Of the span that the request is handled in, where traces are on. */
  traceId: string | undefined = undefined;
  /** Who was let in, in the form of the surface. */
  caller: unknown = undefined;
  /** What the request left of its caller's limits. */
  consumed: unknown = undefined;
  /** Which handler answers. */
  handler: object | undefined = undefined;
  /** The arguments that its address gives, judged, where the handler takes any. */
  given: object = {};
  /** The body, where the route takes one. */
  body: Buffer = NO_BODY;
  /** Whether all that the request announced of its body was read: Node says that it is complete a turn later. */
  isBodyRead = false;
  /** Told of the status of the answer while its headers can still change. One function for all exchanges costs nothing. */
  onResponseHeaders: ((status: number, exchange: Exchange) => void) | undefined = undefined;
  private held: Held | undefined = undefined;

  /**
   * @param ip - source address after the trusted proxies
   * @param requestId - X-Request-Id of the answer
   * @param note - told once that the exchange has ended, and whether it ended before the answer was out
   */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly ip: string,
    readonly requestId: string,
    private readonly note: (exchange: Exchange, aborted: boolean) => void,
  ) {
    this.fields = ['X-Request-Id', requestId];
  }

  setHeader(name: string, value: string): void {
    const { fields } = this;
    if (!fields) {
      if (!this.response.headersSent) this.response.setHeader(name, value);
      return;
    }
    for (let at = 0; at < fields.length; at += 2) {
      if (fields[at] !== name) continue;
      fields[at + 1] = value;
      return;
    }
    fields.push(name, value);
  }

  setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.setHeader(name, headers[name] ?? '');
  }

  /** From now on fields are set on the response itself, where others set theirs. */
  handOver(): void {
    const fields = this.fields ?? [];
    this.fields = undefined;
    for (let at = 0; at < fields.length; at += 2) this.setHeader(fields[at] ?? '', fields[at + 1] ?? '');
    handedOver.set(this.request, this);
  }

  /** Whether all of the request has arrived. */
  get isWhole(): boolean {
    return this.isBodyRead || isWhole(this.request);
  }

  /** Whether an answer is on its way. */
  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  /** Sends the answer, all of it at once. */
  send(status: number, body: string): void {
    const length = Buffer.byteLength(body);
    this.end(status, body, length, length === body.length ? 'latin1' : 'utf8');
  }

  /** The same for a body that is encoded already: one character per byte. */
  sendBytes(status: number, body: string): void {
    this.end(status, body, body.length, 'latin1');
  }

  /** The same for bytes. */
  sendBuffer(status: number, body: Buffer): void {
    this.end(status, body, body.length);
  }

  /** Sends an answer of unknown length as it is made, as fast as the caller takes it. */
  async stream(
    status: number,
    body: AsyncIterable<string | Buffer>,
    ...through: NodeJS.ReadWriteStream[]
  ): Promise<void> {
    this.writeHead(status);
    if (this.request.method === 'HEAD') return void this.response.end();
    try {
      await pipeline([Readable.from(body), ...through, this.response]);
    } catch (error) {
      // The status is sent by then: only a connection that breaks off can tell the caller that the rest is missing.
      this.response.destroy();
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
        throw error;
    }
  }

  /** Takes what is released when the answer is out, or nobody waits for it any more. */
  hold(held: Held): void {
    if (this.isEnded) held.release();
    else this.held = held;
  }

  /** Releases what it holds before its time. */
  letGo(): void {
    this.held?.release();
    this.held = undefined;
  }

  /** The connection has nothing more to say of this exchange. */
  close(): void {
    this.ended(!this.response.writableFinished);
  }

  private end(status: number, body: string | Buffer, length: number, encoding?: BufferEncoding): void {
    const { request, response } = this;
    const isBodiless = status === 204 || status === 304;
    if (!isBodiless) this.setHeader('Content-Length', String(length));
    const isFinished = this.isWhole;
    // What is left of the request would otherwise be read as the next one, or hold the connection.
    if (!isFinished) this.setHeader('Connection', 'close');
    this.writeHead(status);
    if (isFinished) {
      response.end(isBodiless ? '' : body, encoding as 'utf8');
      return;
    }
    response.flushHeaders();
    if (!isBodiless) response.write(body, encoding as 'utf8');
    this.ended(false);
    linger(request, () => response.end());
  }

  private writeHead(status: number): void {
    const { onResponseHeaders } = this;
    this.onResponseHeaders = undefined;
    onResponseHeaders?.(status, this);
    if (this.fields) this.response.writeHead(status, this.fields);
    else this.response.writeHead(status);
  }

  private ended(aborted: boolean): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.letGo();
    this.note(this, aborted);
  }
}

/** @throws AppError INTERNAL_ERROR for a request that this process's server did not hand over */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = handedOver.get(request);
  if (!exchange) throw new AppError('INTERNAL_ERROR');
  return exchange;
}
