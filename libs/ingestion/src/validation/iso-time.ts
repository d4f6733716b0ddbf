/** A moment as an event names it. */
export interface ParsedTime {
  /** Milliseconds since 1970, UTC. A date alone means its first instant in UTC. */
  readonly epochMs: number;
  /** Minutes east of UTC as sent; null for Z, for no offset at all, and for a date alone. */
  readonly offsetMinutes: number | null;
  readonly hasTime: boolean;
  /** Days since 1970 of the date as written, whatever the offset. */
  readonly writtenDay: number;
  readonly year: number;
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|([+-])(\d\d):(\d\d))?)?$/;
const DAY_MS = 86_400_000;
const MAX_OFFSET_MINUTES = 14 * 60;

/**
 * Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with Z, an offset up to 14:00 or neither (UTC).
 * No week or ordinal dates, no hour 24, no leap second: Postgres and callers would not agree on them.
 * @returns undefined where the text has another form or names a time that does not exist
 */
export function parseIsoTime(text: string): ParsedTime | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const written = Date.UTC(year, month - 1, day);
  // Date.UTC takes years below 100 for years of the twentieth century; callers refuse such years anyway.
  const date = { writtenDay: Math.floor(written / DAY_MS), year };
  if (parts[4] === undefined) return { ...date, epochMs: written, offsetMinutes: null, hasTime: false };
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  const second = Number(parts[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetMinutes = offsetOf(parts[9], parts[10], parts[11]);
  if (offsetMinutes === undefined) return undefined;
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const clock = ((hour * 60 + minute - (offsetMinutes ?? 0)) * 60 + second) * 1_000 + milliseconds;
  return { ...date, epochMs: written + clock, offsetMinutes, hasTime: true };
}

/** @returns null where no offset was written (or Z), undefined where it is out of range */
function offsetOf(sign?: string, hours?: string, minutes?: string): number | null | undefined {
  if (sign === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  if (size > MAX_OFFSET_MINUTES || Number(minutes) > 59) return undefined;
  return sign === '-' && size > 0 ? -size : size;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
