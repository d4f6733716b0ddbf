import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request on the fast path, and what its answer is going to carry. */
export class Exchange {
  /** Header fields of the answer, whatever the answer is. */
  readonly headers: Record<string, string>;
  /** performance.now() on arrival. */
  readonly startedMs = performance.now();
  /** Told of the status of a refusal before it is sent; may still change `headers`. */
  beforeRefusal: ((status: number) => void) | undefined;

  /**
   * @param ip - source address after the trusted proxies
   * @param requestId - X-Request-Id of the answer
   */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly ip: string,
    readonly requestId: string,
  ) {
    this.headers = { 'X-Request-Id': requestId };
  }

  readonly setHeader = (name: string, value: string): void => {
    this.headers[name] = value;
  };

  /** Sends the answer, all of it at once. */
  send(status: number, body: string): void {
    const length = Buffer.byteLength(body);
    this.end(status, body, length, length === body.length ? 'latin1' : 'utf8');
  }

  /** The same for a body that is encoded already: one character per byte. */
  sendBytes(status: number, body: string): void {
    this.end(status, body, body.length, 'latin1');
  }

  private end(status: number, body: string, length: number, encoding: 'latin1' | 'utf8'): void {
    this.headers['Content-Length'] = String(length);
    this.response.writeHead(status, this.headers);
    this.response.end(body, encoding);
  }
}
