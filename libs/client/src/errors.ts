import type { components as IngestApi } from './generated/ingest-api.ts';
import type { components as ReadApi } from './generated/read-api.ts';

type Schemas = ReadApi['schemas'] & IngestApi['schemas'];
type Bodies = { [Name in keyof Schemas as Name extends `Error.${string}` ? Name : never]: Schemas[Name] };

/** What the service says when it refuses, by the code in `error`. */
export type ErrorBody = Bodies[keyof Bodies];
/** Every code of the service's catalogue. */
export type ErrorCode = ErrorBody['error'];
/** The body of one code, with the fields of its own, such as `resetAt`. */
export type ErrorBodyOf<Code extends ErrorCode> = Extract<ErrorBody, { readonly error: Code }>;

/** Code of an answer whose body is not the service's: a proxy's, say. */
export const UNKNOWN_CODE = 'UNKNOWN';

/** What is known of an answer that refuses. */
export interface Refusal {
  readonly status: number;
  readonly body: Partial<ErrorBody>;
  readonly headers: Headers;
  readonly attempts: number;
}

/** The service answered, and refused. */
export class OutcomesError extends Error {
  override readonly name: string = 'OutcomesError';
  /** Status of HTTP. */
  readonly status: number;
  /** Code of the service's catalogue, such as `QUOTA_EXCEEDED`; `UNKNOWN` where the body was not the service's. */
  readonly code: string;
  /** To quote to whoever runs the service. */
  readonly requestId: string | undefined;
  readonly body: Partial<ErrorBody>;
  /** Seconds after which the service says that another try makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** Attempts until then. A deletion that finds nothing in its second one may have been done by the first. */
  readonly attempts: number;

  constructor({ status, body, headers, attempts }: Refusal) {
    super(body.message ?? `Answered ${status} without an explanation. Is this the address of the service?`);
    this.status = status;
    // Gateways have an `error` too, a text or an object.
    this.code = body.success === false && typeof body.error === 'string' ? body.error : UNKNOWN_CODE;
    this.requestId = body.requestId ?? headers.get('x-request-id') ?? undefined;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds(headers);
    this.attempts = attempts;
  }

  /** Whether it is this code; then the body has its fields. */
  is<Code extends ErrorCode>(code: Code): this is { readonly code: Code; readonly body: ErrorBodyOf<Code> } {
    return this.code === code;
  }
}

/** No key, a wrong one, one that has expired (401), or one that may not do this (403). */
export class AccessError extends OutcomesError {
  override readonly name = 'AccessError';
}

/** More requests than a window or a month has (429), for longer than was to be waited. */
export class LimitError extends OutcomesError {
  override readonly name = 'LimitError';
}

/** The request is wrong (any other 4xx), or its address (no JSON): sending it again changes nothing. */
export class RequestError extends OutcomesError {
  override readonly name = 'RequestError';
}

/** No answer after every try: the network, a time-out, or 5xx. `cause` is the last fault. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super(`The service could not be reached in ${attempts} attempts.`, { cause });
    this.attempts = attempts;
  }
}

/** A wait was over before what it was for: nothing is lost, and the events stay queued. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/** The error that stands for a refusal. */
export function refusalOf(refusal: Refusal): OutcomesError {
  const { status } = refusal;
  if (status === 401 || status === 403) return new AccessError(refusal);
  if (status === 429) return new LimitError(refusal);
  return status < 500 && status !== 408 ? new RequestError(refusal) : new OutcomesError(refusal);
}

/** `Retry-After` in seconds: a number, or the time until a date. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
