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
  const failed: AlertCode[] = freshness.lastRunFailed ? ['last_run_failed'] : [];
  if (!freshness.dataAsOf) {
    return [freshness.hasEvents ? 'awaiting_first_daily_run' : 'no_data_ingested_yet', ...failed];
  }
  const ageMs = now.getTime() - freshness.dataAsOf.getTime();
  if (ageMs > VERY_STALE_AFTER_MS) return ['very_stale_data', ...failed];
  return ageMs > STALE_AFTER_MS ? ['stale_data', ...failed] : failed;
}
