import type { AlertCode } from '@outcomes/contracts';
import type { Freshness } from './run.repository';

const HOUR_MS = 3_600_000;
/** Two daily runs missed. */
const STALE_AFTER_MS = 48 * HOUR_MS;
const VERY_STALE_AFTER_MS = 7 * 24 * HOUR_MS;

/** The times of a run, without what is asked of the moment. */
export type RunTimes = Pick<Freshness, 'analysedAt' | 'dataAsOf'>;

/**
 * What a reader must know about the age of an answer. How old the outcomes are is told with trust.
 * @param now - time of the answer
 */
export function freshnessAlerts(
  { hasEvents, lastRunFailed, ...times }: RunTimes & Pick<Freshness, 'hasEvents' | 'lastRunFailed'>,
  now: Date,
): AlertCode[] {
  return [
    ...(times.dataAsOf === null
      ? [hasEvents ? ('awaiting_first_daily_run' as const) : ('no_data_ingested_yet' as const)]
      : ageAlerts(times, now)),
    ...(lastRunFailed ? (['last_run_failed'] as const) : []),
  ];
}

/**
 * Of new data and a new analysis, each may fail to come without the other. Data that nobody sends is no fault of
 * the numbers while they are analysed anew each day, and is only told of.
 */
export function ageAlerts({ analysedAt, dataAsOf }: RunTimes, now: Date): AlertCode[] {
  const age = (at: Date | null) => (at === null ? 0 : now.getTime() - at.getTime());
  const isOldRun = age(analysedAt) > STALE_AFTER_MS;
  const alerts: AlertCode[] = [];
  if (age(dataAsOf) > VERY_STALE_AFTER_MS && isOldRun) alerts.push('very_stale_data');
  else if (age(dataAsOf) > STALE_AFTER_MS) alerts.push('stale_data');
  if (isOldRun) alerts.push('stale_analysis');
  return alerts;
}
