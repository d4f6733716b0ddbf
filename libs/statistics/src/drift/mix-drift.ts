import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import { normalQuantile } from '../numerics/normal';
import { type DailySeries, perDay, perStratum } from './daily-series';
import { dispersion } from './dispersion';

export interface MixChange {
  /** log likelihood ratio of an equally surprising one-parameter change, comparable with the rate's */
  readonly statistic: number;
  readonly cut: number;
  /** total variation distance between the mixes before and after, in [0, 1] */
  readonly distance: number;
}

/** Sends needed on each side of a cut before the mixes are compared. */
const MIN_SENDS = 30;
/** Beyond this the survival function underflows and the statistic is capped. */
const SMALLEST_P = 1e-300;

/** Half the squared normal deviate with the same two-sided p-value. */
function asOneParameter(chiSquare: number, degrees: number): number {
  const p = chiSquareSurvival(chiSquare, degrees);
  if (p >= 1) return 0;
  return 0.5 * normalQuantile(Math.max(SMALLEST_P, p) / 2) ** 2;
}

/** Chi-square (likelihood ratio) test on the strata's shares of the sends, over all cuts between days. */
export function mixChange(series: DailySeries): MixChange {
  const strata = series.keys.length;
  const none = { statistic: 0, cut: 0, distance: 0 };
  if (strata < 2) return none;
  const total = perStratum(series, series.n);
  const daily = perDay(series, series.n);
  const all = daily.reduce((a, b) => a + b, 0);
  const before = new Float64Array(strata);
  let beforeAll = 0;
  let best = 0;
  let cut = 0;
  for (let d = 0; d < series.days - 1; d++) {
    for (let s = 0; s < strata; s++) before[s] = (before[s] as number) + (series.n[d * strata + s] as number);
    beforeAll += daily[d] as number;
    const afterAll = all - beforeAll;
    if (beforeAll < MIN_SENDS || afterAll < MIN_SENDS) continue;
    let g = 0;
    for (let s = 0; s < strata; s++) {
      const b = before[s] as number;
      const a = (total[s] as number) - b;
      const share = (total[s] as number) / all;
      if (b > 0) g += b * Math.log(b / (beforeAll * share));
      if (a > 0) g += a * Math.log(a / (afterAll * share));
    }
    if (g > best) {
      best = g;
      cut = d + 1;
    }
  }
  if (cut === 0) return none;
  const first = perStratum(series, series.n, 0, cut);
  const firstAll = first.reduce((a, b) => a + b, 0);
  const shares = [
    first.map((x) => x / firstAll),
    first.map((x, s) => ((total[s] as number) - x) / (all - firstAll)),
  ] as const;
  const expected = new Float64Array(series.n.length);
  for (let d = 0; d < series.days; d++) {
    const side = d < cut ? shares[0] : shares[1];
    for (let s = 0; s < strata; s++) expected[d * strata + s] = (daily[d] as number) * (side[s] as number);
  }
  const activeDays = daily.reduce((count, n) => count + (n > 0 ? 1 : 0), 0);
  const spread = dispersion(series.n, expected, activeDays + 2 * (strata - 1));
  let distance = 0;
  for (let s = 0; s < strata; s++)
    distance += 0.5 * Math.abs((shares[0][s] as number) - (shares[1][s] as number));
  return { statistic: asOneParameter((2 * best) / spread, strata - 1), cut, distance };
}
