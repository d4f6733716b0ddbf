import { Scratch } from './scratch';
import type { SendDays } from './send-days';

/** Days with sends of a window, from index `first` up to but not including `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/**
 * What a window's replies differ from their strata's rates: residual R = sum(y - n r) and information
 * V = sum n r (1 - r), per day and campaign and per day.
 */
export interface WindowResiduals {
  /** send days of the window, ascending */
  readonly day: Int32Array;
  /** cells of day[i]: start[i] up to start[i + 1]; one cell per campaign of the day */
  readonly start: Int32Array;
  /** per cell: dense index in 0..campaigns - 1, in the order of first appearance */
  readonly campaign: Int32Array;
  readonly campaigns: number;
  readonly residual: Float64Array;
  readonly information: Float64Array;
  readonly dayResidual: Float64Array;
  readonly dayInformation: Float64Array;
  readonly sends: number;
  /** reply rate of the window at its mix of strata, and its Bernoulli variance */
  readonly meanRate: number;
  readonly meanVariance: number;
}

/** Sends of the window's mean rate that every stratum is given: one touch is no stratum. */
const POOLED_SENDS = 10;

interface StratumRates {
  readonly rate: Float64Array;
  readonly sends: number;
  readonly replies: number;
  readonly meanRate: number;
  readonly meanVariance: number;
}

/** Rates of the strata over a span of days, each with ten sends at the pooled rate. */
function stratumRates({ strata, sendsBefore, repliesBefore }: SendDays, { first, end }: Span): StratumRates {
  const rate = new Float64Array(strata);
  const within = (sums: Float64Array, s: number): number =>
    (sums[end * strata + s] as number) - (sums[first * strata + s] as number);
  let [sends, replies] = [0, 0];
  for (let s = 0; s < strata; s++) {
    sends += within(sendsBefore, s);
    replies += within(repliesBefore, s);
  }
  const pooled = sends > 0 ? replies / sends : 0;
  let [expected, variance] = [0, 0];
  for (let s = 0; s < strata; s++) {
    const n = within(sendsBefore, s);
    const r = (within(repliesBefore, s) + POOLED_SENDS * pooled) / (n + POOLED_SENDS);
    rate[s] = r;
    expected += n * r;
    variance += n * r * (1 - r);
  }
  return { rate, sends, replies, meanRate: expected / sends, meanVariance: variance / sends };
}

/** Replies and days with sends that a look needs. */
export const LEAST_REPLIES = 8;
export const LEAST_SEND_DAYS = 8;

/**
 * Null where the window holds too little: fewer than 8 replies, or fewer than 8 days with sends.
 * @param scratch - where the result stands, until another one is to stand there
 */
export function windowResiduals(sent: SendDays, span: Span, scratch = new Scratch()): WindowResiduals | null {
  const { first, end } = span;
  const days = end - first;
  if (days < LEAST_SEND_DAYS) return null;
  const rates = stratumRates(sent, span);
  if (rates.replies < LEAST_REPLIES) return null;
  const cells = (sent.cellsBefore[end] as number) - (sent.cellsBefore[first] as number);
  const start = scratch.int32(0, days + 1);
  const campaign = scratch.int32(1, cells);
  const local = scratch.int32(2, sent.campaigns).fill(-1);
  const residual = scratch.float64(0, cells);
  const information = scratch.float64(1, cells);
  const dayResidual = scratch.float64(2, days);
  const dayInformation = scratch.float64(3, days);
  const { stratum, n: sends, y: replies, campaign: ids } = sent;
  const { rate } = rates;
  let campaigns = 0;
  let cell = -1;
  for (let d = 0; d < days; d++) {
    start[d] = cell + 1;
    let current = -1;
    let [allR, allV, cellR, cellV] = [0, 0, 0, 0];
    const to = sent.start[first + d + 1] as number;
    for (let row = sent.start[first + d] as number; row < to; row++) {
      const n = sends[row] as number;
      const own = rate[stratum[row] as number] as number;
      const v = n * own * (1 - own);
      const r = (replies[row] as number) - n * own;
      const c = ids[row] as number;
      if (c !== current) {
        current = c;
        [cellR, cellV] = [0, 0];
        if ((local[c] as number) < 0) local[c] = campaigns++;
        campaign[++cell] = local[c] as number;
      }
      residual[cell] = cellR += r;
      information[cell] = cellV += v;
      allR += r;
      allV += v;
    }
    dayResidual[d] = allR;
    dayInformation[d] = allV;
  }
  start[days] = cell + 1;
  return {
    day: sent.days.subarray(first, end),
    start,
    campaign,
    campaigns,
    residual,
    information,
    dayResidual,
    dayInformation,
    sends: rates.sends,
    meanRate: rates.meanRate,
    meanVariance: rates.meanVariance,
  };
}
