/** A UTC month as one number: year * 12 + month - 1. */
export type Month = number;

export function monthOf(date: Date): Month {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Its first instant. */
export function startOfMonth(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, 1));
}

let askedMonth: Month | undefined;
let askedStart = 0;

/** The same in milliseconds: every request asks it of the same month. */
export function startMsOf(month: Month): number {
  if (month !== askedMonth) askedStart = startOfMonth(month).getTime();
  askedMonth = month;
  return askedStart;
}

/** Its first day as Postgres takes it, e.g. 2026-03-01. */
export function dayOfMonth(month: Month): string {
  return startOfMonth(month).toISOString().slice(0, 10);
}
