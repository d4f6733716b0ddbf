import { requireDomain } from '../numerics/stats-domain-error';

export interface BestCut {
  /** largest log likelihood ratio over all cuts; 0 where no cut is allowed */
  readonly statistic: number;
  /** index of the first day after the cut; 0 where no cut is allowed */
  readonly cut: number;
}

/** Expected events that each side of a cut must have, so that a lone reply is no drift. */
export const MIN_EXPECTED = 2;

/**
 * Generalised likelihood ratio for a change of a Poisson intensity, over all cuts between days.
 *
 * g(k) = O0 ln(O0 / E0) + O1 ln(O1 / E1), with E scaled to the observed total.
 *
 * Shapes: D observed and D expected counts in, one cut out.
 * @param observed - events per day, >= 0
 * @param expected - events per day expected without change, >= 0; scaled here to the observed total
 * @returns the best cut and its statistic, which is never negative
 * @throws StatsDomainError with code `size` or `count`
 *
 * Reference: Siegmund and Venkatraman (1995), Annals of Statistics 23, 255-271.
 *
 * @example
 * bestCut([2, 2, 2, 2, 9, 9, 9], [1, 1, 1, 1, 1, 1, 1]).cut; // 4
 */
export function bestCut(observed: ArrayLike<number>, expected: ArrayLike<number>): BestCut {
  requireDomain(observed.length === expected.length, 'size', 'observed and expected days must agree');
  let totalO = 0;
  let totalE = 0;
  for (let d = 0; d < observed.length; d++) {
    const o = observed[d] as number;
    const e = expected[d] as number;
    requireDomain(
      o >= 0 && o < Infinity && e >= 0 && e < Infinity,
      'count',
      'counts must be finite and >= 0',
    );
    totalO += o;
    totalE += e;
  }
  if (totalO <= 0 || totalE <= 0) return { statistic: 0, cut: 0 };
  const scale = totalO / totalE;
  let beforeO = 0;
  let beforeE = 0;
  let statistic = 0;
  let cut = 0;
  for (let d = 0; d < observed.length - 1; d++) {
    beforeO += observed[d] as number;
    beforeE += (expected[d] as number) * scale;
    const afterE = totalO - beforeE;
    if (beforeE < MIN_EXPECTED || afterE < MIN_EXPECTED) continue;
    const afterO = totalO - beforeO;
    let g = 0;
    if (beforeO > 0) g += beforeO * Math.log(beforeO / beforeE);
    if (afterO > 0) g += afterO * Math.log(afterO / afterE);
    if (g > statistic) {
      statistic = g;
      cut = d + 1;
    }
  }
  return { statistic, cut };
}
