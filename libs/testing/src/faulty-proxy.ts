import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What befalls a request on its way: nothing; the connection ends before the server has it, or after the server has
 * done it; the server does it, and its answer does not come before the caller has given up; it is refused for a second;
 * the server is away.
 */
export const FAULTS = ['none', 'dropped', 'unheard', 'delayed', 'refused', 'unavailable'] as const;
export type Fault = (typeof FAULTS)[number];

/** A way to an HTTP server on which requests meet faults. */
export interface FaultyProxy {
  readonly url: string;
  /** Requests so far, by what befell them. */
  readonly met: Readonly<Record<Fault, number>>;
  close(): Promise<void>;
}

interface Passed {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * Starts it.
 * @param target - origin of the server
 * @param fault - what befalls the request of a number, from 0
 */
export async function faultyProxy(target: string, fault: (request: number) => Fault): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const met = Object.fromEntries(FAULTS.map((name) => [name, 0])) as Record<Fault, number>;
  let requests = 0;

  const pass = async ({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Passed> => {
    const outgoing = request({ host: hostname, port, method, path: url, headers });
    outgoing.end(body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
  };

  const handle = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const what = fault(requests++);
    met[what] += 1;
    const body = await buffer(incoming);
    if (what === 'dropped') return incoming.socket.destroy();
    if (what === 'refused') return refuse(answer, 429, 'RATE_LIMITED');
    if (what === 'unavailable') return refuse(answer, 503, 'SERVICE_UNAVAILABLE');
    const passed = await pass(incoming, body);
    if (what === 'unheard') return incoming.socket.destroy();
    if (what === 'delayed') return;
    answer.writeHead(passed.status, passed.headers).end(passed.body);
  };

  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(answer: ServerResponse, status: number, error: string): void {
  const body = { success: false, error, message: 'Later.', requestId: 'proxy', timestamp: '' };
  answer
    .writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1' })
    .end(JSON.stringify(body));
}
