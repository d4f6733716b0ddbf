import { log1p } from './log1p';

/**
 * log(1 + t) - t without the cancellation near zero.
 *
 * Shapes: scalar in, scalar out.
 * @param t - above -1 (not checked: inner loop)
 * @returns log(1 + t) - t, at most zero
 * Never throws.
 *
 * Reference: DLMF 4.6.4 (logarithm as an odd series).
 *
 * @example
 * log1pMinus(1e-8); // -4.9999999666666664e-17
 */
export function log1pMinus(t: number): number {
  if (t < -0.3 || t > 0.4) return log1p(t) - t;
  // log(1 + t) = 2 atanh(r) with r = t / (2 + t), and 2 r - t = -t r.
  const r = t / (2 + t);
  const r2 = r * r;
  let sum = 0;
  for (let k = 21; k >= 3; k -= 2) sum = sum * r2 + 1 / k;
  return r * (2 * r2 * sum - t);
}
