import { requireDomain } from '../numerics/stats-domain-error';
import {
  checkDefaults,
  type DefaultDelay,
  DELAY_BINS_PER_DAY,
  type DelayCohort,
  type DelayCurve,
  logOf,
  type PriorShape,
  priorShapes,
  reversedKaplanMeier,
} from './delay-curve';

/** A part of a cohort's messages, and for how long they have been watched. */
export interface Watch {
  /** of the cohort's messages, > 0; those of a cohort sum to 1 */
  readonly share: number;
  /** days, >= 0 */
  readonly days: number;
}

/** Replies of messages that were sent at several times, with delays known in days. */
export interface WatchedCohort {
  /** replies by completed days of delay */
  readonly repliesByDay: ArrayLike<number>;
  readonly watches: readonly Watch[];
}

/**
 * The delay curve of `fitDelayCurve` where delays are known in days alone, and messages of a day have been watched for
 * different times: the default's time scale and spread by the likelihood of whole days, and within its day a delay as
 * likely as that shape says.
 *
 * Shapes: any number of cohorts in, one curve of matureDays + 1 points out.
 * @param cohorts - replies by days of delay, and for how long their messages have been watched
 * @param defaults - the channel's usual delay
 * @returns curve with arrived[0] = 0, non-decreasing, arrived[matureDays] = 1
 * @throws StatsDomainError with code `count` or `range`
 *
 * Reference: as `fitDelayCurve`; Turnbull (1976), Journal of the Royal Statistical Society B 38, 290-295 (grouped and
 * truncated times).
 * Oracle: bias of the reply rate of young tenants by simulation, verify:statistics.
 *
 * @example
 * fitWatchedDelays([], EMAIL_DELAY).arrived[14]; // 1
 */
export function fitWatchedDelays(cohorts: readonly WatchedCohort[], defaults: DefaultDelay): DelayCurve {
  checkDefaults(defaults);
  const { matureDays } = defaults;
  cohorts.forEach(checkCohort);
  const watched = cohorts.map((cohort) => arrivalsOf(cohort, matureDays));
  let best = { arrived: new Float64Array(0) as Float64Array, logPosterior: -Infinity };
  for (const shape of priorShapes(defaults)) {
    const logPosterior = watched.reduce((sum, own) => sum + logLikelihood(own, shape), shape.logPrior);
    if (logPosterior > best.logPosterior) best = { arrived: shape.arrived, logPosterior };
  }
  const { arrived } = best;
  return reversedKaplanMeier(
    cohorts.flatMap((cohort) => placed(cohort, arrived)),
    arrived,
  );
}

function checkCohort({ repliesByDay, watches }: WatchedCohort): void {
  for (const { share, days } of watches)
    requireDomain(share > 0 && share <= 1 && days >= 0, 'range', 'a watch needs a share and days >= 0');
  for (let day = 0; day < repliesByDay.length; day++) {
    const count = repliesByDay[day] as number;
    requireDomain(count >= 0 && count < Infinity, 'count', 'replies must be finite and >= 0');
  }
}

/** Share that has arrived after some days, between quarters evenly. */
function arrivedAfter(arrived: Float64Array, days: number): number {
  const at = Math.min(arrived.length - 1, days * DELAY_BINS_PER_DAY);
  const before = arrived[Math.floor(at)] as number;
  return before + (at - Math.floor(at)) * ((arrived[Math.ceil(at)] as number) - before);
}

/** What of a shape's points makes up the share of a cohort that has arrived by a delay, as pairs of point and weight. */
type Mix = readonly (readonly [point: number, weight: number])[];

interface Arrivals {
  readonly replies: ArrayLike<number>;
  /** by each whole day of delay, up to maturity */
  readonly byDay: readonly Mix[];
}

/** The same for all shapes, so that trying one costs a few multiplications. */
function arrivalsOf({ repliesByDay, watches }: WatchedCohort, matureDays: number): Arrivals {
  const byDay = Array.from({ length: matureDays + 1 }, (_, day): Mix => {
    const weights = new Map<number, number>();
    const add = (point: number, weight: number): void => {
      if (weight > 0) weights.set(point, (weights.get(point) ?? 0) + weight);
    };
    for (const { share, days } of watches) {
      const at = Math.min(day, days) * DELAY_BINS_PER_DAY;
      const rest = at - Math.floor(at);
      add(Math.floor(at), share * (1 - rest));
      add(Math.ceil(at), share * rest);
    }
    return [...weights];
  });
  return { replies: repliesByDay, byDay };
}

function logLikelihood({ replies, byDay }: Arrivals, { arrived }: PriorShape): number {
  const shareOf = (mix: Mix): number =>
    mix.reduce((sum, [point, weight]) => sum + weight * (arrived[point] as number), 0);
  let [sum, total] = [0, 0];
  for (let day = 0; day < Math.min(replies.length, byDay.length - 1); day++) {
    const count = replies[day] as number;
    if (count === 0) continue;
    total += count;
    sum += count * logOf(shareOf(byDay[day + 1] as Mix) - shareOf(byDay[day] as Mix));
  }
  return total === 0 ? 0 : sum - total * logOf(shareOf(byDay[byDay.length - 1] as Mix));
}

/** A cohort per watch, each with its part of the replies of a day. */
function placed({ repliesByDay, watches }: WatchedCohort, arrived: Float64Array): DelayCohort[] {
  const bins = arrived.length - 1;
  const likely = watches.map(({ share, days }) =>
    Array.from({ length: bins }, (_, bin) => {
      const [from, to] = [bin / DELAY_BINS_PER_DAY, Math.min(days, (bin + 1) / DELAY_BINS_PER_DAY)];
      return to > from ? share * (arrivedAfter(arrived, to) - arrivedAfter(arrived, from)) : 0;
    }),
  );
  const byDay = new Float64Array(bins / DELAY_BINS_PER_DAY);
  for (const own of likely)
    own.forEach((one, bin) => (byDay[dayOf(bin)] = (byDay[dayOf(bin)] as number) + one));
  return watches.map(({ days }, w) => ({
    ageDays: Math.floor(days * DELAY_BINS_PER_DAY) / DELAY_BINS_PER_DAY,
    repliesByDelay: (likely[w] as number[]).map((one, bin) =>
      one > 0 ? ((repliesByDay[dayOf(bin)] ?? 0) * one) / (byDay[dayOf(bin)] as number) : 0,
    ),
  }));
}

const dayOf = (bin: number): number => Math.floor(bin / DELAY_BINS_PER_DAY);
