import { DAY_MS } from '@outcomes/contracts';
export const DAYS_PER_WEEK = 7;
export const HOURS_PER_DAY = 24;
const EPOCH_WEEKDAY = 3; // 1970-01-01 was a Thursday; Monday is 0.

/** @param day - days since 1970-01-01; Monday is 0 */
export function weekdayOf(day: number): number {
  return (((day + EPOCH_WEEKDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** Whole sevens of days since 1970-01-01: the weeks of the estimates. */
export function weekOf(day: number): number {
  return Math.floor(day / DAYS_PER_WEEK);
}

/** Days since 1970-01-01 of milliseconds since then. */
export function dayOfTime(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MS);
}

/** YYYY-MM-DD of days since 1970-01-01. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Days since 1970-01-01 of YYYY-MM-DD. */
export function dayOf(iso: string): number {
  return Math.floor(Date.parse(iso) / DAY_MS);
}

/**
 * Milliseconds since 1970 by the clock on a zone's walls.
 * @param at - milliseconds since 1970 in UTC
 * @param timeZone - IANA name; an unknown one counts as UTC
 */
export function wallClockOf(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return at;
  try {
    const options = { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const;
    // The Swedish way of writing a time is that of ISO 8601.
    const local = new Intl.DateTimeFormat('sv-SE', options).format(at);
    return Date.parse(`${local.replace(' ', 'T')}Z`) + (at % 1_000);
  } catch {
    return at;
  }
}
