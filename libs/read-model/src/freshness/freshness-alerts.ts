import type { AlertCode } from '@outcomes/contracts';
import type { Freshness } from './freshness.repository';

const HOUR_MS = 3_600_000;
/** Two daily runs missed. */
const STALE_AFTER_MS = 48 * HOUR_MS;
const VERY_STALE_AFTER_MS = 7 * 24 * HOUR_MS;

/**
 * What a reader must know about the age of an answer.
 * @param now - time of the answer
 */
export function freshnessAlerts(freshness: Freshness, now: Date): AlertCode[] {
  const run = runAlerts(freshness, now);
  if (!freshness.dataAsOf) {
    return [freshness.hasEvents ? 'awaiting_first_daily_run' : 'no_data_ingested_yet', ...run];
  }
  const ageMs = now.getTime() - freshness.dataAsOf.getTime();
  if (ageMs > VERY_STALE_AFTER_MS) return ['very_stale_data', ...run];
  return ageMs > STALE_AFTER_MS ? ['stale_data', ...run] : run;
}

/** New data and a new analysis may each fail to come without the other. */
function runAlerts({ analysedAt, lastRunFailed }: Freshness, now: Date): AlertCode[] {
  const isStale = analysedAt !== null && now.getTime() - analysedAt.getTime() > STALE_AFTER_MS;
  return [
    ...(isStale ? (['stale_analysis'] as const) : []),
    ...(lastRunFailed ? (['last_run_failed'] as const) : []),
  ];
}
