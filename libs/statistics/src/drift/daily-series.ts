import { stratumNumber } from '../patterns/block-cutter';
import type { StratumKey } from '../patterns/pattern-types';
import type { DriftCohort } from './drift-types';

/** Counts per day and stratum of the window, row-major (day * strata + stratum), with empty days at zero. */
export interface DailySeries {
  readonly firstDay: number;
  readonly days: number;
  readonly keys: readonly StratumKey[];
  readonly n: Float64Array;
  readonly y: Float64Array;
}

/** @param fromDay first send day inside the window */
export function dailySeries(cohorts: readonly DriftCohort[], fromDay: number, asOfDay: number): DailySeries {
  const inside = cohorts.filter(({ day }) => day >= fromDay && day <= asOfDay);
  const firstDay = inside[0]?.day ?? asOfDay;
  const days = asOfDay - firstDay + 1;
  const index = new Map<number, number>();
  const found: { key: StratumKey; number: number }[] = [];
  for (const { stratum } of inside) {
    const number = stratumNumber(stratum, undefined);
    if (!index.has(number)) {
      index.set(number, 0);
      found.push({ key: stratum, number });
    }
  }
  found.sort((a, b) => a.number - b.number).forEach(({ number }, i) => index.set(number, i));
  const strata = found.length;
  const n = new Float64Array(days * strata);
  const y = new Float64Array(days * strata);
  for (const cohort of inside) {
    const at =
      (cohort.day - firstDay) * strata + (index.get(stratumNumber(cohort.stratum, undefined)) as number);
    n[at] = (n[at] as number) + cohort.totalN;
    y[at] = (y[at] as number) + cohort.totalY;
  }
  return { firstDay, days, keys: found.map(({ key }) => key), n, y };
}

/** Sum over the strata of each day. */
export function perDay(series: DailySeries, counts: Float64Array): Float64Array {
  const strata = series.keys.length;
  const sums = new Float64Array(series.days);
  for (let d = 0; d < series.days; d++) {
    let sum = 0;
    for (let s = 0; s < strata; s++) sum += counts[d * strata + s] as number;
    sums[d] = sum;
  }
  return sums;
}

/** Sum over the days from..to (exclusive) of each stratum. */
export function perStratum(
  series: DailySeries,
  counts: Float64Array,
  from = 0,
  to = series.days,
): Float64Array {
  const strata = series.keys.length;
  const sums = new Float64Array(strata);
  for (let d = from; d < to; d++)
    for (let s = 0; s < strata; s++) sums[s] = (sums[s] as number) + (counts[d * strata + s] as number);
  return sums;
}

/** Expected replies per day if every stratum kept its whole-window rate. */
export function expectedPerDay(series: DailySeries): Float64Array {
  const strata = series.keys.length;
  const sends = perStratum(series, series.n);
  const replies = perStratum(series, series.y);
  const expected = new Float64Array(series.days);
  for (let d = 0; d < series.days; d++) {
    let sum = 0;
    for (let s = 0; s < strata; s++) {
      if ((sends[s] as number) > 0)
        sum += ((series.n[d * strata + s] as number) * (replies[s] as number)) / (sends[s] as number);
    }
    expected[d] = sum;
  }
  return expected;
}
