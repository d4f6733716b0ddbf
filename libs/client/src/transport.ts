import { OutcomesError, refusalOf, UnavailableError, type ErrorBody } from './errors.ts';

export interface TransportOptions {
  /** API key, `svc_…`. */
  readonly apiKey: string;
  /** Attempts at one request, the first included. Default 5. */
  readonly attempts?: number;
  /** Milliseconds that one attempt may take, its body included. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds of `Retry-After` that are waited for; a longer one is thrown. Default 60,000. */
  readonly longestWaitMs?: number;
  /** Of every request, such as `X-Actor-Type` and `X-Actor-Id`, or `X-Tenant-Id` with a credential of several tenants. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Told before a wait between two attempts; what it throws ends the request. */
  readonly onRetry?: (retry: Retry) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between attempts. For tests. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. For tests. */
  readonly random?: () => number;
}

export interface Retry {
  /** Why: an `OutcomesError`, or what `fetch` failed by. */
  readonly fault: unknown;
  /** Attempts so far. */
  readonly attempts: number;
  readonly waitMs: number;
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly query?: Query;
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that is a success. */
export interface Answer<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

const FIRST_WAIT_MS = 200;
const LONGEST_BACK_OFF_MS = 10_000;
/** The longest that a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends requests until they are answered. All of them may be sent again: reads change nothing, deletions delete once,
 * and events are known by their ids.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #headers: Headers;

  /** @throws {TypeError} where the key or a header is one that HTTP cannot carry */
  constructor(options: TransportOptions) {
    this.#options = options;
    this.#headers = headersOf(options);
  }

  /** @throws {OutcomesError} where the service refuses, {@link UnavailableError}, or the reason of `signal` */
  async send<Body>(call: Call): Promise<Answer<Body>> {
    const { attempts: most = 5, wait = pause } = this.#options;
    for (let attempts = 1; ; attempts += 1) {
      call.signal?.throwIfAborted();
      const { answer, fault, waitMs } = await this.#attempt<Body>(call, attempts);
      if (answer) return answer;
      if (waitMs === undefined) throw fault;
      if (attempts >= most) throw isUnanswered(fault) ? new UnavailableError(attempts, fault) : fault;
      this.#options.onRetry?.({ fault, attempts, waitMs });
      await wait(waitMs, call.signal);
    }
  }

  async #attempt<Body>(
    call: Call,
    attempts: number,
  ): Promise<{ answer?: Answer<Body>; fault?: unknown; waitMs?: number | undefined }> {
    const { longestWaitMs = 60_000 } = this.#options;
    try {
      const response = await this.#fetch(call);
      const { status, headers } = response;
      const text = await response.text();
      // Whoever answers with a page is not the service, today or in a minute.
      const isOurs = headers.get('content-type')?.includes('json') === true;
      if (response.ok && isOurs) return { answer: { body: JSON.parse(text) as Body, headers } };
      const fault = refusalOf({ status, body: bodyOf(text), headers, attempts });
      if (!isPassing(fault)) return { fault };
      const asked = fault.retryAfterSeconds;
      if (asked === undefined) return { fault, waitMs: this.#backOff(attempts) };
      const waitMs = asked * 1_000 > longestWaitMs ? undefined : asked * 1_000 + this.#backOff(1);
      return { fault, waitMs: waitMs && Math.min(waitMs, LONGEST_TIMER_MS) };
    } catch (fault) {
      if (call.signal?.aborted) throw call.signal.reason;
      return { fault, waitMs: this.#backOff(attempts) };
    }
  }

  #fetch({ method = 'GET', url, query = {}, body, contentType, signal }: Call): Promise<Response> {
    const { timeoutMs = 30_000, fetch = globalThis.fetch } = this.#options;
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) if (one !== undefined) address.searchParams.append(name, String(one));
    }
    const headers = new Headers(this.#headers);
    if (contentType !== undefined) headers.set('Content-Type', contentType);
    const limit = AbortSignal.timeout(timeoutMs);
    return fetch(address, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body !== undefined && { body }),
    });
  }

  /** Half of it by chance, so that clients that failed together do not come back together. */
  #backOff(attempts: number): number {
    const { random = Math.random } = this.#options;
    const most = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_BACK_OFF_MS);
    return most / 2 + (most / 2) * random();
  }
}

/**
 * A part of a path.
 * @throws {TypeError} for one that addresses have another meaning for, escaped or not: the request would go elsewhere
 */
export function segmentOf(id: unknown): string {
  const text = String(id);
  if (/^\.{0,2}$/.test(text))
    throw new TypeError(
      `${JSON.stringify(text)} cannot be a part of an address: the request would go elsewhere.`,
    );
  return encodeURIComponent(text);
}

/** Those of every request. Looked at before any is sent: `fetch` fails by a wrong one as by a lost connection. */
function headersOf({ apiKey, headers }: TransportOptions): Headers {
  try {
    const all = new Headers(headers);
    all.set('Accept', 'application/json');
    all.set('Authorization', `Bearer ${apiKey}`);
    return all;
  } catch {
    // Not with its cause, which quotes the value: it may be the key.
    throw new TypeError('apiKey or headers have a character that no HTTP header can have.');
  }
}

/** Whether the same request may be answered later. */
function isPassing({ status }: OutcomesError): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function isUnanswered(fault: unknown): boolean {
  return !(fault instanceof OutcomesError && fault.status === 429);
}

function bodyOf(text: string): Partial<ErrorBody> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
