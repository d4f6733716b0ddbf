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

const DAY_MS = 86_400_000;
const MAX_OFFSET_MINUTES = 14 * 60;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
const ZERO = 0x30;

/**
 * Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with Z, an offset up to 14:00 or neither (UTC).
 * No week or ordinal dates, no hour 24, no leap second: Postgres and callers would not agree on them.
 *
 * By hand, digit by digit: every event has two times, and a regular expression took a third of all validation.
 * @returns undefined where the text has another form or names a time that does not exist
 */
export function parseIsoTime(text: string): ParsedTime | undefined {
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  // Whatever is no digit makes NaN, and NaN fails every comparison.
  const isDate = text[4] === '-' && text[7] === '-' && year >= 0 && month >= 1 && month <= 12;
  if (!isDate || !(day >= 1 && day <= daysIn(year, month))) return undefined;
  const written = Date.UTC(year, month - 1, day);
  // Date.UTC takes years below 100 for years of the twentieth century; callers refuse such years anyway.
  const writtenDay = Math.floor(written / DAY_MS);
  if (text.length === DATE_LENGTH) {
    return { epochMs: written, offsetMinutes: null, hasTime: false, writtenDay, year };
  }
  const clock = clockOf(text);
  if (!clock) return undefined;
  const offsetMinutes = offsetOf(text, clock.end);
  if (offsetMinutes === undefined) return undefined;
  const epochMs = written + clock.milliseconds - (offsetMinutes ?? 0) * 60_000;
  return { epochMs, offsetMinutes, hasTime: true, writtenDay, year };
}

/** The time of day behind the date, in milliseconds, and where its text ends. */
function clockOf(text: string): { readonly milliseconds: number; readonly end: number } | undefined {
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  if (text[10] !== 'T' || text[13] !== ':' || !(hour <= 23 && minute <= 59)) return undefined;
  const milliseconds = (hour * 60 + minute) * 60_000;
  if (text[16] !== ':') return { milliseconds, end: 16 };
  const second = digits(text, 17, 2);
  if (!(second <= 59)) return undefined;
  if (text[19] !== '.') return { milliseconds: milliseconds + second * 1_000, end: 19 };
  let end = 20;
  while (digits(text, end, 1) >= 0) end += 1;
  if (end === 20) return undefined;
  const fraction = Number(text.slice(20, Math.min(end, 23)).padEnd(3, '0'));
  return { milliseconds: milliseconds + second * 1_000 + fraction, end };
}

/**
 * What stands behind the time of day.
 * @returns null where nothing or Z does, undefined where it is no offset or out of range
 */
function offsetOf(text: string, start: number): number | null | undefined {
  if (text.length === start) return null;
  const sign = text[start];
  if (sign === 'Z') return text.length === start + 1 ? null : undefined;
  const minutes = digits(text, start + 4, 2);
  const size = digits(text, start + 1, 2) * 60 + minutes;
  const isForm = (sign === '+' || sign === '-') && text[start + 3] === ':' && text.length === start + 6;
  if (!isForm || !(size <= MAX_OFFSET_MINUTES && minutes <= 59)) return undefined;
  return sign === '-' && size > 0 ? -size : size;
}

/** The number that so many decimal digits write; NaN where one of them is none. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
