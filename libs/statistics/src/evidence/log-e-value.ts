import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';
import { EVIDENCE_SUMS, type EvidenceSums, SIGMAS } from './evidence-sums';

/** Standard deviations of the effects that the evidence bets on, with equal weight. */
const TAUS: readonly number[] = [0.2, 0.5];
/** Weights of the sigmas in the bet; the null takes its best sigma instead. */
const SIGMA_WEIGHTS: readonly number[] = [0.4, 0.15, 0.15, 0.1, 0.1, 0.1];
const LOG_WEIGHTS = SIGMA_WEIGHTS.map((weight) => log(weight / TAUS.length));

/**
 * Log e-value of the sums of units against one log odds ratio, however much texts differ.
 *
 * Shapes: 18 numbers and a scalar in, scalar out.
 * @param sums - B, P, Q per sigma, finite, Q >= 0
 * @param logOr - the log odds ratio that is put to the test, finite; default 0
 * @returns logarithm of the e-value; 0 for sums of nothing
 * @throws StatsDomainError with code `size`
 *
 * Universal inference: a mixture over sigma and effect, against the likelihood at the best sigma of the null.
 * Reference: Wasserman, Ramdas and Balakrishnan (2020), PNAS 117, 16880-16890; design, section 2.2.
 * Oracle: fixtures/evidence.json, rtol 1e-10.
 *
 * @example
 * logEValue(new Float64Array(18)); // 0
 */
export function logEValue(sums: EvidenceSums, logOr = 0): number {
  requireDomain(sums.length === EVIDENCE_SUMS, 'size', 'evidence is three numbers per sigma');
  let best = -Infinity;
  let top = -Infinity;
  let total = 0;
  for (let g = 0; g < SIGMAS.length; g++) {
    const p = sums[3 * g + 1] as number;
    const q = sums[3 * g + 2] as number;
    const base = (sums[3 * g] as number) + logOr * p - 0.5 * logOr * logOr * q;
    const rest = p - logOr * q;
    if (base > best) best = base;
    for (const tau of TAUS) {
      const spread = 1 + tau * tau * q;
      const x =
        base + (0.5 * tau * tau * rest * rest) / spread - 0.5 * log(spread) + (LOG_WEIGHTS[g] as number);
      if (x > top) {
        total = total * exp(top - x) + 1;
        top = x;
      } else total += exp(x - top);
    }
  }
  return top + log(total) - best;
}
