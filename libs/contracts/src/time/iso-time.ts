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

/** Milliseconds of a day of UTC, which has no others. */
export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MAX_OFFSET_MINUTES = 14 * 60;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
/** Days from the first of January of the year 0 (a leap year) to that of 1970. */
const DAYS_TO_1970 = 719_528;
/** Days of a common year that lie before each month. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/** What stands for two characters that are not both digits; it fails every comparison below. */
const NO_NUMBER = -1;

const ZERO = 0x30;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
const PLUS = 0x2b;
const CAPITAL_T = 0x54;
const CAPITAL_Z = 0x5a;

/**
 * Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with Z, an offset up to 14:00 or neither (UTC).
 * No week or ordinal dates, no hour 24, no leap second: Postgres and callers would not agree on them.
 *
 * By hand, digit by digit and without Date: every event has two times, and they were a third of all validation.
 * @returns undefined where the text has another form or names a time that does not exist
 */
export function parseIsoTime(text: string): ParsedTime | undefined {
  const century = pair(text, 0);
  const ofCentury = pair(text, 2);
  const year = century * 100 + ofCentury;
  const month = pair(text, 5);
  const day = pair(text, 8);
  if (century < 0 || ofCentury < 0 || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN)
    return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const writtenDay = dayOf(year, month, day);
  if (text.length === DATE_LENGTH) {
    return { epochMs: writtenDay * DAY_MS, offsetMinutes: null, hasTime: false, writtenDay, year };
  }
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  if (text.charCodeAt(10) !== CAPITAL_T || text.charCodeAt(13) !== COLON) return undefined;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return undefined;
  let milliseconds = (hour * 60 + minute) * MINUTE_MS;
  let end = 16;
  if (text.charCodeAt(16) === COLON) {
    const second = pair(text, 17);
    if (second < 0 || second > 59) return undefined;
    milliseconds += second * 1_000;
    end = endOfFraction(text, 19);
    if (end === 20) return undefined;
    milliseconds += millisecondsOf(text, end);
  }
  const offsetMinutes = offsetOf(text, end);
  if (offsetMinutes === undefined) return undefined;
  const epochMs = writtenDay * DAY_MS + milliseconds - (offsetMinutes ?? 0) * MINUTE_MS;
  return { epochMs, offsetMinutes, hasTime: true, writtenDay, year };
}

/** Where the digits behind a decimal point end; `start` where there is no point, one behind it without a digit. */
function endOfFraction(text: string, start: number): number {
  if (text.charCodeAt(start) !== POINT) return start;
  let end = start + 1;
  while (digit(text, end) >= 0) end += 1;
  return end;
}

/** The fraction of a second between the decimal point at 19 and `end`, cut after three digits. */
function millisecondsOf(text: string, end: number): number {
  let milliseconds = 0;
  for (let at = 20, worth = 100; at < end && at < 23; at += 1, worth /= 10)
    milliseconds += digit(text, at) * worth;
  return milliseconds;
}

/**
 * What stands behind the time of day.
 * @returns null where nothing or Z does, undefined where it is no offset or out of range
 */
function offsetOf(text: string, start: number): number | null | undefined {
  if (text.length === start) return null;
  const sign = text.charCodeAt(start);
  if (sign === CAPITAL_Z) return text.length === start + 1 ? null : undefined;
  const hours = pair(text, start + 1);
  const minutes = pair(text, start + 4);
  const size = hours * 60 + minutes;
  const isForm = (sign === PLUS || sign === HYPHEN) && text.charCodeAt(start + 3) === COLON;
  if (!isForm || text.length !== start + 6) return undefined;
  if (hours < 0 || minutes < 0 || minutes > 59 || size > MAX_OFFSET_MINUTES) return undefined;
  return sign === HYPHEN && size > 0 ? -size : size;
}

/** The number that two decimal digits write. */
function pair(text: string, at: number): number {
  const tens = digit(text, at);
  const ones = digit(text, at + 1);
  return tens >= 0 && ones >= 0 ? tens * 10 + ones : NO_NUMBER;
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - ZERO;
  return value >= 0 && value <= 9 ? value : NO_NUMBER;
}

/** Days since 1970 of a date of the Gregorian calendar, extended backwards. */
function dayOf(year: number, month: number, day: number): number {
  // Of the years before this one: the year 0 and every fourth, but of hundreds only every fourth.
  const leapDays = Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
  const before = (DAYS_BEFORE[month - 1] ?? 0) + (month > 2 && isLeap(year) ? 1 : 0);
  return year * 365 + leapDays + before + day - 1 - DAYS_TO_1970;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return isLeap(year) ? 29 : 28;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
