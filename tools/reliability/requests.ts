import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  text: string;
  headers: IncomingHttpHeaders;
  milliseconds: number;
}

/**
 * Sends one request. Rejects where there is no whole answer within the time.
 * @param options `timeout` in milliseconds, for the whole exchange.
 */
export function exchange(
  url: string,
  {
    method = 'POST',
    headers = {},
    body,
    agent,
    timeout = 30_000,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: Buffer | string;
    agent?: Agent;
    timeout?: number;
  } = {},
): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, agent, signal, headers: { ...length, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, text, headers: response.headers },
          milliseconds: performance.now() - began,
        }),
      );
    });
    // An answer that came before the body was taken whole is an answer all the same.
    sent.on('error', reject);
    sent.end(body);
  });
}

export function headersOf(apiKey: string, type = 'application/json') {
  return { Authorization: `Bearer ${apiKey}`, 'Content-Type': type };
}

export function keptConnections(connections: number) {
  return new Agent({ keepAlive: true, maxSockets: connections });
}

const day = 86_400_000;

/** A small legal event with an id of its own. */
export function smallEvent(
  parts: Record<string, unknown> = {},
): Record<string, unknown> & { event_id: string } {
  const sent = Date.now() - 20 * day;
  return {
    event_id: randomUUID(),
    channel: 'email',
    sequence_step: 0,
    recipient_id: `recipient-${Math.floor(Math.random() * 5_000)}`,
    sent_at: new Date(sent).toISOString(),
    outcome_at: new Date(sent + day).toISOString(),
    outcome: 'no_response',
    ...parts,
  };
}

export function smallEvents(count: number, parts: (at: number) => Record<string, unknown> = () => ({})) {
  return Array.from({ length: count }, (_, at) => smallEvent(parts(at)));
}

export function bodyOf(events: readonly unknown[]) {
  return Buffer.from(JSON.stringify({ events }));
}

/**
 * The same chance every time: a run that failed can be run again. (mulberry32)
 * @returns From 0 to below 1.
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
