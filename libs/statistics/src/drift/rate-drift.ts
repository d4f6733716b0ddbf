import { bestCut } from './cut-scan';
import { type DailySeries, expectedPerDay, perDay } from './daily-series';
import { driftThreshold } from './threshold';

export interface RateChange {
  readonly statistic: number;
  readonly threshold: number;
  readonly cut: number;
  /** expected replies per day if every stratum kept its whole-window rate */
  readonly expected: Float64Array;
}

/**
 * Stratum-standardised likelihood ratio for a change of the reply rates. A reply is a Bernoulli event,
 * whose count varies by (1 - rate) less than a Poisson count: the statistic is scaled for that, so that
 * one table of thresholds serves every rate.
 */
export function rateChange(series: DailySeries, arl0Days: number): RateChange {
  const expected = expectedPerDay(series);
  const replies = perDay(series, series.y);
  const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  const allSends = sum(perDay(series, series.n));
  const allReplies = sum(replies);
  const rate = allSends > 0 ? allReplies / allSends : 0;
  const { statistic, cut } = bestCut(replies, expected);
  return {
    statistic: rate < 1 ? statistic / (1 - rate) : 0,
    threshold: driftThreshold(allReplies / Math.max(1, series.days), arl0Days),
    cut,
    expected,
  };
}
