import { bestCut } from './cut-scan';
import { type DailySeries, expectedPerDay, perDay, perStratum } from './daily-series';
import { driftThreshold } from './threshold';

export interface RateChange {
  readonly statistic: number;
  readonly threshold: number;
  readonly cut: number;
  /** expected replies per day if every stratum kept its whole-window rate */
  readonly expected: Float64Array;
}

/** How much less replies vary than Poisson counts of the same mean: 1 - rate, averaged over the strata's replies. */
function bernoulliFactor(series: DailySeries, replies: number): number {
  const n = perStratum(series, series.n);
  let sum = 0;
  perStratum(series, series.y).forEach((y, s) => {
    if (y > 0) sum += y * (1 - y / (n[s] as number));
  });
  return replies > 0 ? sum / replies : 1;
}

/**
 * Stratum-standardised likelihood ratio for a change of the reply rates. A reply is a Bernoulli event,
 * whose count varies less than a Poisson count: the statistic is scaled for that, so that one table of
 * thresholds serves every rate.
 */
export function rateChange(series: DailySeries, arl0Days: number): RateChange {
  const expected = expectedPerDay(series);
  const replies = perDay(series, series.y);
  const allReplies = replies.reduce((a, b) => a + b, 0);
  const factor = bernoulliFactor(series, allReplies);
  const { statistic, cut } = bestCut(replies, expected);
  return {
    statistic: factor > 0 ? statistic / factor : 0,
    threshold: driftThreshold(allReplies / Math.max(1, series.days), arl0Days),
    cut,
    expected,
  };
}
