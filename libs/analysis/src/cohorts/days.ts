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
