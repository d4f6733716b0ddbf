import {
  CHANNELS,
  MATURITY_DAYS,
  POSITIONS,
  STEP_BUCKETS,
  type Channel,
  type DriftDocument,
  type DriftVerdict,
  type RateEstimate,
} from '@outcomes/contracts';
import {
  DRIFT_WINDOW_DAYS,
  overallDrift,
  type DriftCohort,
  type DriftSegment,
  type DriftState,
} from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';
import { ENGINE_VERSION } from '../engine-version';

/** Mean number of days between false alarms of one channel. */
const AVERAGE_RUN_LENGTH_DAYS = 365;
/** The detectors are calibrated to keep silent before they have watched for so long. */
const DAYS_BEFORE_FIRST_VERDICT = 28;

/** Whether recent outcomes still resemble those behind the posteriors: one verdict over all, one per channel. */
export function driftDocument(table: CohortTable, dataAsOf: Date): DriftDocument {
  const present = CHANNELS.filter((_, index) => table.channel.subarray(0, table.size).includes(index));
  return {
    data_as_of: dataAsOf.toISOString(),
    engine_version: ENGINE_VERSION,
    verdicts: [
      // Channels mature at different ages. Days that one of them has not reached would look like a changed mix.
      verdict(
        'all',
        watchedOf(table, present, Math.max(0, ...present.map((channel) => MATURITY_DAYS[channel]))),
      ),
      ...present.map((channel) => verdict(channel, watchedOf(table, [channel], MATURITY_DAYS[channel]))),
    ],
  };
}

/** What is watched of some channels: the cohorts of the window, and over how many days there have been any. */
interface Watched {
  readonly cohorts: readonly DriftCohort[];
  readonly days: number;
}

function watchedOf(table: CohortTable, channels: readonly Channel[], minimumAge: number): Watched {
  const indexes = new Set(channels.map((channel) => CHANNELS.indexOf(channel)));
  const counts = (row: number) => table.ageOf(row) >= minimumAge && indexes.has(table.channel[row] ?? 0);
  // Rows come in order of their days.
  let last = table.size - 1;
  while (last >= 0 && !counts(last)) last -= 1;
  if (last < 0) return { cohorts: [], days: 0 };
  let first = 0;
  while (!counts(first)) first += 1;
  const newest = table.day[last] ?? 0;
  const cohorts: DriftCohort[] = [];
  for (let row = last; row >= 0 && (table.day[row] ?? 0) > newest - DRIFT_WINDOW_DAYS; row -= 1) {
    if (!counts(row)) continue;
    const { day, channel, step, position, touches, replies } = table.cellsAt(row);
    cohorts.push({ day, stratum: { channel, step, position }, totalN: touches, totalY: replies });
  }
  return { cohorts: cohorts.reverse(), days: newest - (table.day[first] ?? 0) + 1 };
}

function verdict(channel: Channel | 'all', { cohorts, days }: Watched): DriftVerdict {
  if (days < DAYS_BEFORE_FIRST_VERDICT) return unknownVerdict(channel);
  const overall = overallDrift({ cohorts, arl0Days: AVERAGE_RUN_LENGTH_DAYS });
  return {
    channel,
    kind: overall.kind,
    direction: overall.direction,
    since: overall.since === null ? null : isoDay(overall.since),
    before: overall.before && segmentRate(overall.before),
    after: segmentRate(overall.after),
    contributing_strata: strataOf(overall),
    statistic: rounded(overall.statistic),
    threshold: rounded(overall.threshold),
    average_run_length_days: AVERAGE_RUN_LENGTH_DAYS,
    posteriors_trustworthy: overall.posteriorsTrustworthy,
  };
}

/** Too short a history is no sign of calm: nothing is claimed, and posteriors are not vouched for. */
function unknownVerdict(channel: Channel | 'all'): DriftVerdict {
  return {
    channel,
    kind: 'insufficient_data',
    direction: null,
    since: null,
    before: null,
    after: null,
    contributing_strata: [],
    statistic: null,
    threshold: null,
    average_run_length_days: null,
    posteriors_trustworthy: false,
  };
}

function segmentRate({ sends, rate, low, high }: DriftSegment): RateEstimate {
  if (sends === 0) return { value: null, ci_low: null, ci_high: null, n: 0 };
  return { value: rounded(rate), ci_low: rounded(low), ci_high: rounded(high), n: sends };
}

/** e.g. `email/first_touch/vp`, the largest part of the change first. */
function strataOf({ strata }: DriftState): string[] {
  return strata.map(({ stratum: { channel, step, position } }) =>
    [CHANNELS[channel], STEP_BUCKETS[step], POSITIONS[position]].join('/'),
  );
}
