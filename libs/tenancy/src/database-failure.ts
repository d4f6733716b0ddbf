import { AppError } from '@outcomes/contracts';

/** Seconds a caller should wait before it tries again while the database is away. */
const RETRY_AFTER_SECONDS = '2';

const UNAVAILABLE_NODE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

// Class 08 connection exceptions, 28 login refused (a role being rotated), 53 insufficient resources, 57 operator intervention (shutdown, time-out),
// 40 transaction rollback (serialization, deadlock), 55P03 lock not available, 58 system error, 25P03 and 25P04
// transactions that took too long.
const UNAVAILABLE_SQL_STATE = /^(08|28|53|57|40|58|55P03|25P03|25P04)/;

/** A statement that writes, on a server that takes none: a standby, or a primary that was demoted. */
const READ_ONLY_SQL_STATE = '25006';

// Faults that `pg` and TypeORM report without any code; the last two once a pool was told to end.
const UNAVAILABLE_MESSAGE =
  /terminated|timeout|closed|not queryable|calling end on the pool|driver not connected/i;

/**
 * Turns a failure of Postgres into what callers may know: 503 where it passes by itself, INTERNAL_ERROR where
 * it is our fault. The original stays as the private cause.
 */
export function databaseFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return isUnavailable(error) ? unavailable(error) : new AppError('INTERNAL_ERROR', {}, { cause: error });
}

/** What a caller is told while Postgres is away. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { cause, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** Whether a connection leads to a server that takes no writes, and is of no use any more. */
export function isReadOnlyFailure(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === READ_ONLY_SQL_STATE;
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = codeOf(error);
  if (typeof code !== 'string') return UNAVAILABLE_MESSAGE.test(error.message);
  if (code === READ_ONLY_SQL_STATE) return true;
  return UNAVAILABLE_NODE_CODES.has(code) || UNAVAILABLE_SQL_STATE.test(code);
}

function codeOf(error: Error): unknown {
  const inner: unknown = 'driverError' in error ? error.driverError : error;
  return inner instanceof Error && 'code' in inner ? inner.code : undefined;
}
