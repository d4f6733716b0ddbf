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
  return logEValueAt(sums, spreadsOf(sums), logOr);
}

/** What an e-value takes from the sums whatever is put to the test, and an interval asks for a hundred of them. */
export interface BetSpreads {
  /** per sigma and tau */
  readonly spread: Float64Array;
  readonly halfLog: Float64Array;
}

/** @throws StatsDomainError with code `size` */
export function spreadsOf(sums: EvidenceSums): BetSpreads {
  requireDomain(sums.length === EVIDENCE_SUMS, 'size', 'evidence is three numbers per sigma');
  const size = SIGMAS.length * TAUS.length;
  const [spread, halfLog] = [new Float64Array(size), new Float64Array(size)];
  for (let at = 0; at < size; at++) {
    const tau = TAUS[at % TAUS.length] as number;
    const q = sums[3 * Math.floor(at / TAUS.length) + 2] as number;
    const own = 1 + tau * tau * q;
    spread[at] = own;
    halfLog[at] = 0.5 * log(own);
  }
  return { spread, halfLog };
}

/** `logEValue` with what is the same for every log odds ratio. */
export function logEValueAt(sums: EvidenceSums, { spread, halfLog }: BetSpreads, logOr: number): number {
  let best = -Infinity;
  let top = -Infinity;
  let total = 0;
  let at = 0;
  for (let g = 0; g < SIGMAS.length; g++) {
    const p = sums[3 * g + 1] as number;
    const q = sums[3 * g + 2] as number;
    const base = (sums[3 * g] as number) + logOr * p - 0.5 * logOr * logOr * q;
    const rest = p - logOr * q;
    const weight = LOG_WEIGHTS[g] as number;
    if (base > best) best = base;
    for (let t = 0; t < TAUS.length; t++, at++) {
      const tau = TAUS[t] as number;
      const gain = (0.5 * tau * tau * rest * rest) / (spread[at] as number);
      const x = base + gain - (halfLog[at] as number) + weight;
      if (x > top) {
        total = total * exp(top - x) + 1;
        top = x;
      } else total += exp(x - top);
    }
  }
  return top + log(total) - best;
}
