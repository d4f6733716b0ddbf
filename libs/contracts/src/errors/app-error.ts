import { ERROR_CATALOGUE, type ErrorCode } from './catalogue';

/** Fields that join the error body at top level, e.g. `reason` or `quotaLimit`. Public, so never internal. */
export type ErrorFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AppErrorOptions {
  /** The private reason. It is logged, never sent. */
  readonly cause?: unknown;
  /** Response headers that belong to this refusal, e.g. Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A sentence that replaces the catalogue's where the case can be named more exactly. Public. */
  readonly message?: string;
}

/**
 * The one error that features throw: a code of the catalogue, public fields beside it, the private cause kept
 * apart. One filter writes it to HTTP, one mapper to MCP.
 */
export class AppError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    readonly fields: ErrorFields = {},
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? ERROR_CATALOGUE[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.status = ERROR_CATALOGUE[code].status;
    this.headers = options.headers ?? {};
  }
}

export interface ErrorBody {
  readonly success: false;
  readonly error: ErrorCode;
  readonly message: string;
  readonly requestId: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/**
 * The wire body of an error.
 * @param at - time of the answer
 */
export function errorBodyOf(error: AppError, requestId: string, at: Date): ErrorBody {
  return {
    success: false,
    error: error.code,
    message: error.message,
    requestId,
    timestamp: at.toISOString(),
    ...error.fields,
  };
}
