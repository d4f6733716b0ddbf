/** Pauses after the first attempt, the second, and so on, in seconds: three days in all. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const LONGEST_PAUSE = 86_400;
/** Up to so much is added, so that what failed together does not come back together. */
const JITTER = 0.1;

/** After so many the message is given up. */
export const MAX_ATTEMPTS = PAUSES.length + 1;

/**
 * How long to wait before the next attempt, in milliseconds.
 * @param attempts - made so far, from 1 on
 * @param retryAfter - what the endpoint asked for, in seconds or as a date; a day at most is granted
 * @param random - from 0 to below 1
 * @returns undefined after the last
 */
export function pauseAfter(
  attempts: number,
  {
    retryAfter,
    now,
    random,
  }: { readonly retryAfter?: string | undefined; readonly now: Date; readonly random: number },
): number | undefined {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return undefined;
  const asked = Math.min(askedSeconds(retryAfter, now), LONGEST_PAUSE);
  return Math.max(pause * (1 + JITTER * random), asked) * 1_000;
}

function askedSeconds(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1_000);
}
