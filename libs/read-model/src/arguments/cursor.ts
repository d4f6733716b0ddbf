import { AppError } from '@outcomes/contracts';

const MAX_LENGTH = 4_096;

/**
 * A page mark that callers pass back and never read. The list it belongs to is inside, so that the cursor of
 * one list is refused by another.
 */
export function encodeCursor(list: string, mark: string): string {
  return Buffer.from(JSON.stringify([list, mark])).toString('base64url');
}

/**
 * @returns the mark, or undefined where no cursor was given
 * @throws AppError INVALID_PARAMETER where the cursor was not made by encodeCursor for this list
 */
export function decodeCursor(list: string, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const parsed = cursor.length <= MAX_LENGTH ? parse(cursor) : undefined;
  if (Array.isArray(parsed) && parsed.length === 2 && parsed[0] === list && typeof parsed[1] === 'string') {
    return parsed[1];
  }
  throw invalidCursor();
}

/** As this project writes them. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The same where marks are ids of rows.
 * @throws AppError INVALID_PARAMETER also where the mark is no id
 */
export function decodeIdCursor(list: string, cursor: string | undefined): string | undefined {
  const mark = decodeCursor(list, cursor);
  if (mark !== undefined && !UUID.test(mark)) throw invalidCursor();
  return mark;
}

export function invalidCursor(): AppError {
  return new AppError(
    'INVALID_PARAMETER',
    { parameter: 'cursor' },
    { message: 'cursor must be the next_cursor of the page before, passed back unchanged.' },
  );
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
