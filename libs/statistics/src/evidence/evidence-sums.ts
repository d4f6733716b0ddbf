import { log } from '../numerics/log';
import { exact } from './exact-sums';

/** Standard deviations of what texts (or days) add to the log odds, among which the evidence does not choose. */
export const SIGMAS: readonly number[] = [0, 0.2, 0.4, 0.6, 0.8, 1];
/** Numbers of `EvidenceSums`: B, P and Q for each sigma. */
export const EVIDENCE_SUMS = 3 * SIGMAS.length;

/**
 * Sums over units, per sigma: log likelihood(delta, sigma) = B + delta P - delta^2 Q / 2 up to a constant. All that
 * is served of a contrast derives from them. Layout: B, P, Q of the first sigma, then of the next.
 */
export type EvidenceSums = Float64Array;

/**
 * The 18 numbers of one unit, of which sums are exact. Its effect is normal around delta with variance
 * s sigma^2.
 *
 * @param z - sum of the unit's scores
 * @param v - sum of their variances, > 0
 * @param s - squared distance between the texts (or days) of both sides, >= 0
 */
export function setUnitSums(sums: EvidenceSums, z: number, v: number, s: number): void {
  for (let g = 0; g < SIGMAS.length; g++) {
    const sigma = SIGMAS[g] as number;
    const spread = s * sigma * sigma;
    const shrinkage = 1 / (1 + spread * v);
    sums[3 * g] = exact(0.5 * log(shrinkage) + 0.5 * spread * z * z * shrinkage);
    sums[3 * g + 1] = exact(shrinkage * z);
    sums[3 * g + 2] = exact(shrinkage * v);
  }
}

/** Adds sums to others. */
export function addSums(to: EvidenceSums, from: EvidenceSums): void {
  for (let i = 0; i < EVIDENCE_SUMS; i++) to[i] = (to[i] as number) + (from[i] as number);
}

export const noSums = (): EvidenceSums => new Float64Array(EVIDENCE_SUMS);
