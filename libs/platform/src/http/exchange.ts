import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request on the fast path, and what its answer is going to carry. */
export class Exchange {
  /** Header fields of the answer, whatever the answer is: names and values in turn, as `writeHead` takes them. */
  private readonly fields: string[];
  /** performance.now() on arrival. */
  readonly startedMs = performance.now();
  /** Told of the status of a refusal before it is sent; may still set headers. */
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
    this.fields = ['X-Request-Id', requestId];
  }

  readonly setHeader = (name: string, value: string): void => {
    const { fields } = this;
    for (let at = 0; at < fields.length; at += 2) {
      if (fields[at] !== name) continue;
      fields[at + 1] = value;
      return;
    }
    fields.push(name, value);
  };

  setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.setHeader(name, headers[name] ?? '');
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

  private end(status: number, body: string, length: number, encoding: 'latin1' | 'utf8'): void {
    this.setHeader('Content-Length', String(length));
    this.response.writeHead(status, this.fields);
    this.response.end(body, encoding);
  }
}
