import { DAY_MS } from '@outcomes/contracts';
import { DateTime } from 'luxon';

export const RETENTION_MONTHS = 24;

/** How long events are kept: the same all through a day of UTC, and too dear to count anew for every statement. */
let known = { day: NaN, spanMs: NaN };

/** Events ingested at this moment or before have expired: 24 calendar months, counted in UTC. */
export function retentionCutoff(now: Date): Date {
  const day = Math.floor(now.getTime() / DAY_MS);
  if (day !== known.day) {
    const cutoff = DateTime.fromJSDate(now, { zone: 'utc' }).minus({ months: RETENTION_MONTHS });
    known = { day, spanMs: now.getTime() - cutoff.toMillis() };
  }
  return new Date(now.getTime() - known.spanMs);
}
