import { exp } from './exp';
import { log } from './log';
import { log1p } from './log1p';
import { requireDomain } from './stats-domain-error';

/**
 * Log-odds of a probability.
 *
 * Shapes: scalar in, scalar out.
 * @param p - probability in (0, 1)
 * @returns log(p / (1 - p)), natural logarithm
 * @throws StatsDomainError with code `mass`
 *
 * Reference: Agresti (2013), Categorical Data Analysis, section 5.1.
 *
 * @example
 * logit(0.2); // -1.3862943611198906
 */
export function logit(p: number): number {
  requireDomain(p > 0 && p < 1, 'mass', 'logit needs a probability in (0, 1)');
  return log(p) - log1p(-p);
}

/**
 * Probability of a log-odds; never NaN, and never overflows.
 *
 * Shapes: scalar in, scalar out.
 * @param x - log-odds, any number
 * @returns probability in [0, 1]
 * Never throws.
 *
 * Reference: as `logit`, of which it is the inverse.
 *
 * @example
 * expit(0); // 0.5
 */
export function expit(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const odds = exp(x);
  return odds / (1 + odds);
}
