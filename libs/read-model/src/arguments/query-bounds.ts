import { AppError } from '@outcomes/contracts';

/**
 * A whole number within its bounds, or its default.
 * @throws AppError INVALID_PARAMETER naming the parameter and its bounds
 */
export function boundedInteger(
  parameter: string,
  value: number | undefined,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new AppError(
    'INVALID_PARAMETER',
    { parameter },
    { message: `${parameter} must be a whole number from ${min} to ${max}.` },
  );
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * An ISO 8601 time with offset.
 * @throws AppError INVALID_PARAMETER naming the parameter
 */
export function instant(parameter: string, value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const milliseconds = DATE_TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds);
  throw new AppError(
    'INVALID_PARAMETER',
    { parameter },
    { message: `${parameter} must be an ISO 8601 time with offset, e.g. 2026-01-31T00:00:00Z.` },
  );
}

/**
 * An identifier of the caller's own, as sent at ingestion.
 * @throws AppError INVALID_PARAMETER where it is empty, longer than 256 characters or holds a NUL
 */
export function identifier(parameter: string, value: string): string {
  const length = [...value].length;
  // Postgres has no NUL in text, so such an identifier cannot have been stored.
  if (length >= 1 && length <= 256 && !value.includes('\0')) return value;
  throw new AppError(
    'INVALID_PARAMETER',
    { parameter },
    { message: `${parameter} must be 1 to 256 characters.` },
  );
}
