import { Agent, request } from 'node:http';
import { held } from './held-answers';

export interface Request {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Status line, headers and body, as they came. */
  readonly raw: string;
  readonly text: string;
  /** The parsed body, also of a single server-sent event; undefined where there is none. */
  readonly body: ReturnType<JSON['parse']>;
}

export const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** One HTTP request with exactly these headers, and all that comes back, held against the contract. */
export async function exchange(asked: Request): Promise<Answer> {
  return held(asked, await transmit(asked));
}

/** The same, whatever comes back: for suites that plant documents which no run writes. */
export function transmit({ port, method, path, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent, timeout: 60_000, headers: { ...headers, ...length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            raw: `${response.statusCode} ${response.statusMessage}\n${response.rawHeaders.join('\n')}\n${text}`,
            text,
            body: parsed(text),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered within a minute`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The request of one JSON-RPC call to the gateway. */
export function rpc(
  port: number,
  apiKey: string,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  return {
    port,
    method: 'POST',
    path: '/mcp',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

/** Runs work on every item, a few at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function parsed(text: string): ReturnType<JSON['parse']> {
  const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(text) ?? [];
  const json = data ?? text;
  return /^[{[]/.test(json) ? JSON.parse(json) : undefined;
}
