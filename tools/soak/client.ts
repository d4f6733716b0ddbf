// Sends requests and keeps what became of them: how long after its time each was answered, and what nobody expected.
import { Pool } from 'undici';

/** A service that does not answer within this time has not answered. */
const TIMEOUT_MS = 10_000;
/** Of an answer that is to be looked into no more is kept. */
const MOST_KEPT = 64 * 1_024;
const EXAMPLES = 50;

export const kinds = ['ingest', 'read', 'mcp', 'console'] as const;
export type Kind = (typeof kinds)[number];

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

/** `judge` says what is wrong with an answer, or nothing. */
export interface Request {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | string;
  readonly isProvoked?: boolean;
  readonly judge: (answer: Answer) => string | undefined;
}

export interface Unexpected {
  readonly at: number;
  readonly name: string;
  readonly what: string;
}

export interface Latency {
  /** Of the request. */
  readonly name: string;
  readonly at: number;
  readonly milliseconds: number;
}

/** What became of requests, by the stretch of time in which they were to be sent. */
export class Tally {
  readonly unexpected: Unexpected[] = [];
  readonly #latencies = new Map<Kind, Latency[]>();
  answered = 0;
  provoked = 0;
  failures = 0;

  add(kind: Kind, latency: Latency, isProvoked: boolean) {
    this.answered += 1;
    if (isProvoked) this.provoked += 1;
    const known = this.#latencies.get(kind) ?? [];
    known.push(latency);
    this.#latencies.set(kind, known);
  }

  fail(unexpected: Unexpected) {
    this.failures += 1;
    if (this.unexpected.length < EXAMPLES) this.unexpected.push(unexpected);
  }

  latencies(kind: Kind): readonly Latency[] {
    return this.#latencies.get(kind) ?? [];
  }
}

/** One service, over kept connections. */
export class Client {
  #pool: Pool;
  readonly kind: Kind;
  underWay = 0;

  constructor(kind: Kind, origin: string) {
    this.kind = kind;
    this.#pool = poolOf(origin);
  }

  /** From now on another address answers: a proxy that does harm. */
  turnTo(origin: string) {
    const before = this.#pool;
    this.#pool = poolOf(origin);
    void before.close();
  }

  /** Never rejects. @param dueAt - seconds of the clock of `performance`, from which latency counts */
  async send(request: Request, tally: Tally, dueAt: number): Promise<Answer | undefined> {
    this.underWay += 1;
    try {
      const answer = await ask(this.#pool, request);
      const fault = request.judge(answer);
      const milliseconds = performance.now() - 1_000 * dueAt;
      tally.add(this.kind, { name: request.name, at: dueAt, milliseconds }, request.isProvoked === true);
      if (fault === undefined) return answer;
      tally.fail({ at: dueAt, name: request.name, what: `${fault}: ${answer.text.slice(0, 200)}` });
    } catch (error) {
      const what = error instanceof Error ? `${error.name} ${error.message}` : String(error);
      tally.fail({ at: dueAt, name: request.name, what });
    } finally {
      this.underWay -= 1;
    }
    return undefined;
  }

  async close() {
    await this.#pool.destroy();
  }
}

function poolOf(origin: string) {
  return new Pool(origin, { connections: 64, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
}

function ask(pool: Pool, { method, path, headers, body = '' }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    let etag: string | undefined;
    const { promise: late, timer } = deadline();
    late.catch(reject);
    pool.dispatch(
      { method, path, headers, body: body === '' ? null : body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, fields) {
          status = statusCode;
          if (typeof fields['etag'] === 'string') etag = fields['etag'];
        },
        onResponseData(_controller, chunk) {
          if (text.length < MOST_KEPT) text += chunk.toString('utf8');
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, text, etag });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}

/** Waiting for a connection counts as well, which undici's own limits leave out. */
function deadline(): { promise: Promise<never>; timer: NodeJS.Timeout } {
  const { promise, reject } = Promise.withResolvers<never>();
  return { promise, timer: setTimeout(() => reject(new Error('no answer in time')), 2 * TIMEOUT_MS) };
}
