import { DateTime } from 'luxon';

export const RETENTION_MONTHS = 24;

/** Events ingested at this moment or before have expired: 24 calendar months, counted in UTC. */
export function retentionCutoff(now: Date): Date {
  return DateTime.fromJSDate(now, { zone: 'utc' }).minus({ months: RETENTION_MONTHS }).toJSDate();
}
