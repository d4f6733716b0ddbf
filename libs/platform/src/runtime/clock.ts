/** The one source of time, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const CLOCK = Symbol('Clock');

export const systemClock: Clock = { now: () => new Date() };

let second = NaN;
let writtenSecond = '';

/**
 * As `Date.prototype.toISOString` writes it. Many lines and answers are made within a second, and a date costs more to
 * write out than the rest of them.
 * @param ms - since 1970, a whole number
 */
export function isoTimeOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds !== second) {
    writtenSecond = new Date(seconds * 1_000).toISOString().slice(0, -'000Z'.length);
    second = seconds;
  }
  const rest = ms - seconds * 1_000;
  return `${writtenSecond}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
