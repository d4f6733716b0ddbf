import { requireDomain } from '../numerics/stats-domain-error';

/** Score of the log odds ratio at zero, and its variance. */
export interface ContrastScore {
  readonly z: number;
  readonly v: number;
}

/** Hypergeometric variance of the replies with a level, given the margins of its table; 0 where nothing is compared. */
export function tableVariance(na: number, ya: number, nb: number, yb: number): number {
  const n = na + nb;
  const y = ya + yb;
  if (na <= 0 || nb <= 0 || y <= 0 || y >= n) return 0;
  return (na * nb * y * (n - y)) / (n * n * (n - 1));
}

/**
 * Replies with a level beyond what the margins of its table lead one to expect, and their variance.
 *
 * Shapes: one 2 x 2 table in, one pair out.
 * @param na - messages with the level, whole, >= 0
 * @param ya - their replies, in 0..na
 * @param nb - messages with other levels, whole, >= 0
 * @param yb - their replies, in 0..nb
 * @returns score and hypergeometric variance, both 0 where the table compares nothing
 * @throws StatsDomainError with code `count`
 *
 * Given its margins a table depends on the odds ratio alone, so that thin cells need neither merging nor a rate.
 * Reference: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22, 719-748.
 * Oracle: fixtures/evidence.json.
 *
 * @example
 * contrastScore(10, 3, 30, 2); // { z: 1.75, v: 0.8413461538461539 }
 */
export function contrastScore(na: number, ya: number, nb: number, yb: number): ContrastScore {
  const fits = (n: number, y: number): boolean => y >= 0 && y <= n && Number.isFinite(n);
  requireDomain(fits(na, ya) && fits(nb, yb), 'count', 'replies must lie between zero and the messages');
  const v = tableVariance(na, ya, nb, yb);
  return v > 0 ? { z: ya - (na * (ya + yb)) / (na + nb), v } : { z: 0, v: 0 };
}
