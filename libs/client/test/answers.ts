import { Transport, type TransportOptions } from '../src/transport.ts';

/** A JSON answer. */
export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return Response.json(body, { status, headers });
}

export type Send = (url: URL, init: RequestInit) => Promise<Response> | Response;

/** A transport whose requests go to a function, and whose waits are taken down and not waited. */
export function transportTo(send: Send, options: Partial<TransportOptions> = {}) {
  const waits: number[] = [];
  const fetch = (async (url: URL, init: RequestInit) => send(url, init)) as typeof globalThis.fetch;
  const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
  const transport = new Transport({ apiKey: 'svc_key', fetch, wait, random: () => 1, ...options });
  return { transport, waits };
}
