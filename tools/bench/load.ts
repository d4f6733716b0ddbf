import { Client } from 'undici';
import { Failure } from '../local/failure.mjs';

/** Milliseconds without a byte after which an answer does not come any more. */
const TIMEOUT_MS = 30_000;

/**
 * Sends bodies over a fixed number of kept connections, as fast as they are answered.
 *
 * With undici's clients, not node:http's: the load shares two processors and their caches with what it measures, and
 * undici takes 14 us of CPU for a request of one event where node:http takes 36. With node:http the service looked a
 * sixth dearer, and the bare program too.
 * @param options `accepted`: events that each must be answered 202 for; undefined takes any answer below 500.
 */
export async function send({
  url,
  headers,
  connections,
  bodies,
  accepted,
}: {
  url: string;
  headers: Record<string, string>;
  connections: number;
  bodies: readonly Buffer[];
  accepted?: number | undefined;
}): Promise<void> {
  const fields = { 'Content-Type': 'application/json', ...headers };
  await askAll({ url, connections, count: bodies.length }, (at) => ({
    ...{ method: 'POST', headers: fields, body: bodies[at] },
    isRight: (answer) => isRight(answer, accepted),
  }));
}

/** Asks for one document again and again in the same way; each answer has to be 200. */
export async function read({
  url,
  headers,
  connections,
  count,
}: {
  url: string;
  headers: Record<string, string>;
  connections: number;
  count: number;
}): Promise<void> {
  const question = { method: 'GET', headers, isRight: ({ status }: Answer) => status === 200 };
  await askAll({ url, connections, count }, () => question);
}

interface Answer {
  status: number;
  text: string;
}

interface Question {
  method: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  isRight: (answer: Answer) => boolean;
}

async function askAll(
  { url, connections, count }: { url: string; connections: number; count: number },
  question: (at: number) => Question,
) {
  const { origin, pathname } = new URL(url);
  let next = 0;
  const worker = async () => {
    const client = new Client(origin, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    try {
      while (next < count) {
        const { isRight, ...asked } = question(next++);
        const answer = await ask(client, { path: pathname, ...asked });
        if (!isRight(answer))
          throw new Failure(`${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
      }
    } finally {
      await client.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

function isRight({ status, text }: Answer, accepted: number | undefined) {
  return accepted === undefined
    ? status < 500
    : status === 202 && text.startsWith(`{"accepted":${accepted},"rejected":0`);
}

function ask(
  client: Client,
  {
    path,
    method,
    headers,
    body = undefined,
  }: { path: string; method: string; headers: Record<string, string>; body?: Buffer | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    client.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          text += chunk.toString('utf8');
        },
        onResponseEnd: () => resolve({ status, text }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
