const RETENTION_MONTHS = 24;

/** Events ingested, and decisions made, at this moment or before have expired: 24 calendar months, counted in UTC. */
export function retentionCutoff(now: Date): Date {
  const cutoff = new Date(now);
  cutoff.setUTCMonth(cutoff.getUTCMonth() - RETENTION_MONTHS);
  // The 29th of February has no counterpart in most years: the day before it has.
  if (cutoff.getUTCDate() !== now.getUTCDate()) cutoff.setUTCDate(0);
  return cutoff;
}
