import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';

const DAYS_PER_FORTNIGHT = 14;

/** @returns days since 1970-01-01 */
export function firstDayOf(fortnight: number): number {
  return fortnight * DAYS_PER_FORTNIGHT;
}

/** Day on which the last messages of a fortnight and channel have matured, and with them the fortnight as a whole. */
export function maturesOn(fortnight: number, channel: number): number {
  return firstDayOf(fortnight + 1) - 1 + MATURITY_DAYS[CHANNELS[channel] as Channel];
}

/** Per channel the first day whose fortnight has not matured as a whole. */
export function unmaturedFrom(observedUntil: number): number[] {
  return CHANNELS.map((_, channel) => {
    const settled = observedUntil - maturesOn(0, channel);
    return firstDayOf(Math.floor(settled / DAYS_PER_FORTNIGHT) + 1);
  });
}

/** As long as which days the same of a campaign's fortnights have matured. Days are since 1970-01-01. */
export interface MaturedSpan {
  /** Day on which the newest that has matured did; null where none has. */
  readonly maturedOn: number | null;
  /** Day on which the next one will; null where all have. */
  readonly maturesNext: number | null;
}

export function spanOf(days: Iterable<number>, observedUntil: number): MaturedSpan {
  let maturedOn: number | null = null;
  let maturesNext: number | null = null;
  for (const day of days) {
    if (day <= observedUntil) maturedOn = Math.max(maturedOn ?? day, day);
    else maturesNext = Math.min(maturesNext ?? day, day);
  }
  return { maturedOn, maturesNext };
}

/** Whether the same fortnights have matured on that day; it goes back where the newest messages are erased. */
export function covers({ maturedOn, maturesNext }: MaturedSpan, observedUntil: number): boolean {
  return (maturedOn ?? -Infinity) <= observedUntil && observedUntil < (maturesNext ?? Infinity);
}

/** Days on which the messages of a fortnight mature, channel by channel. */
export function maturingDays(fortnight: number): number[] {
  return CHANNELS.map((_, channel) => maturesOn(fortnight, channel));
}

/** The newest fortnight of which the messages of some channel have matured. */
export function newestMatured(observedUntil: number): number {
  return Math.floor((observedUntil - Math.min(...maturingDays(0))) / DAYS_PER_FORTNIGHT);
}
