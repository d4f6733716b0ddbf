import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { normalCdf } from '../numerics/normal';
import { requireDomain } from '../numerics/stats-domain-error';
import { EVIDENCE_SUMS, type EvidenceSums, SIGMAS } from './evidence-sums';

/** Standard deviation of log odds ratios before anything is known. */
const PRIOR_SD = 0.3;
const PRIOR_PRECISION = 1 / (PRIOR_SD * PRIOR_SD);

export interface EffectPosterior {
  readonly mean: number;
  readonly sd: number;
  readonly probabilityPositive: number;
}

/**
 * Posterior of the log odds ratio, averaged over how much texts differ.
 *
 * Shapes: 18 numbers in, one record out.
 * @param sums - B, P, Q per sigma, finite, Q >= 0
 * @returns mean, standard deviation and the probability of a positive effect, in [0, 1]
 * @throws StatsDomainError with code `size`
 *
 * Prior: normal with mean 0 and standard deviation .3; every sigma equally likely.
 * Reference: Gelman et al. (2013), Bayesian Data Analysis, section 5.4.
 * Oracle: fixtures/evidence.json, to the 1e-7 of its normal distribution function.
 *
 * @example
 * effectPosterior(new Float64Array(18)); // { mean: 0, sd: 0.3, probabilityPositive: 0.5 }
 */
export function effectPosterior(sums: EvidenceSums): EffectPosterior {
  requireDomain(sums.length === EVIDENCE_SUMS, 'size', 'evidence is three numbers per sigma');
  const logWeights = SIGMAS.map((_, g) => {
    const [b, p, q] = sums.subarray(3 * g) as unknown as [number, number, number];
    return b - 0.5 * log(1 + PRIOR_SD * PRIOR_SD * q) + (0.5 * p * p) / (q + PRIOR_PRECISION);
  });
  const top = Math.max(...logWeights);
  let weight = 0;
  let mean = 0;
  let square = 0;
  let positive = 0;
  logWeights.forEach((logWeight, g) => {
    const precision = (sums[3 * g + 2] as number) + PRIOR_PRECISION;
    const m = (sums[3 * g + 1] as number) / precision;
    const w = exp(logWeight - top);
    weight += w;
    mean += w * m;
    square += w * (m * m + 1 / precision);
    positive += w * normalCdf(m * Math.sqrt(precision));
  });
  mean /= weight;
  return {
    mean,
    sd: Math.sqrt(Math.max(0, square / weight - mean * mean)),
    probabilityPositive: Math.min(1, positive / weight),
  };
}
