import { bestCut } from './cut-scan';
import { dispersion } from './dispersion';

export interface VolumeChange {
  readonly statistic: number;
  readonly cut: number;
  /** sends a day after the cut over those before it, at equal weekdays */
  readonly ratio: number;
}

const WEEK = 7;

/** Sends expected per day from the weekday's mean over the window: a quiet weekend is no drift. */
function weekdayExpectation(sends: Float64Array): Float64Array {
  const sums = new Float64Array(WEEK);
  const days = new Float64Array(WEEK);
  sends.forEach((n, d) => {
    sums[d % WEEK] = (sums[d % WEEK] as number) + n;
    days[d % WEEK] = (days[d % WEEK] as number) + 1;
  });
  return sends.map((_, d) => (sums[d % WEEK] as number) / (days[d % WEEK] as number));
}

/** Poisson likelihood ratio for a change of the daily number of sends, divided by its overdispersion. */
export function volumeChange(sends: Float64Array): VolumeChange {
  const expected = weekdayExpectation(sends);
  const { statistic, cut } = bestCut(sends, expected);
  if (cut === 0) return { statistic: 0, cut: 0, ratio: 1 };
  const sum = (values: Float64Array, from: number, to: number): number =>
    values.subarray(from, to).reduce((a, b) => a + b, 0);
  const before = sum(sends, 0, cut) / sum(expected, 0, cut);
  const after = sum(sends, cut, sends.length) / sum(expected, cut, sends.length);
  const fitted = expected.map((e, d) => e * (d < cut ? before : after));
  return {
    statistic: statistic / dispersion(sends, fitted, WEEK + 1),
    cut,
    ratio: before > 0 ? after / before : Infinity,
  };
}
