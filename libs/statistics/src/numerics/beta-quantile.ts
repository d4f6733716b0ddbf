import { exp } from './exp';
import { logBetaKernel, logLowerBeta } from './incomplete-beta';
import { log } from './log';
import { logBetaUnchecked } from './log-beta';
import { log1p } from './log1p';
import { normalQuantile } from './normal';
import { isShape, requireDomain } from './stats-domain-error';

const MAX_STEPS = 200;

/** First guess of the logit of the lower quantile; any guess works, a close one saves steps. */
function guess(p: number, a: number, b: number): number {
  if (a > 2 && b > 2) {
    // Logit of a Beta is nearly normal; a - 1/2 and b - 1/2 centre it on the median.
    const centre = log((a - 0.4) / (b - 0.4));
    return centre + normalQuantile(p) * Math.sqrt(1 / a + 1 / b);
  }
  const logX = (log(p) + log(a) + logBetaUnchecked(a, b)) / a; // I_x(a, b) ~ x^a / (a B)
  return logX < -0.7 ? logX - log1p(-exp(logX)) : log(a / b);
}

/**
 * Logit of the p-quantile for p <= 1/2. The distribution of logit x is log-concave, so log I is
 * concave in it and Newton's method converges from one side, whatever the start.
 */
function lowerLogit(p: number, a: number, b: number): number {
  const target = log(p);
  let logit = guess(p, a, b);
  for (let i = 0; i < MAX_STEPS; i++) {
    if (logit < -700) return (target + log(a) + logBetaUnchecked(a, b)) / a;
    const x = 1 / (1 + exp(-logit));
    const y = 1 / (1 + exp(logit));
    const logTail = logLowerBeta(x, y, a, b);
    const step = (logTail - target) / exp(logBetaKernel(x, y, a, b) - logTail);
    // Far above the root the slope vanishes and a full step would overshoot by thousands.
    const bounded = Math.min(step, 3 + Math.abs(logit));
    logit -= bounded;
    if (Math.abs(bounded) < 4e-15 * Math.max(1, Math.abs(logit))) break;
  }
  return logit;
}

/**
 * Quantile of Beta(a, b): the inverse of the regularised incomplete beta function.
 *
 * Shapes: scalars in, scalar out.
 * @param p - probability in [0, 1]
 * @param a - finite, > 0
 * @param b - finite, > 0
 * @returns x in [0, 1] with I_x(a, b) = p
 * @throws StatsDomainError with code `shape` or `probability`
 *
 * Reference: DLMF 8.17 (the inverse is by Newton's method on the logit scale).
 * Oracle: fixtures/numerics.json (mpmath at 50 digits), rtol 1e-10 where x and the tail are
 * representable (for x within 1e-6 of one, 1 - x carries the rounding of a double).
 *
 * @example
 * betaQuantile(0.5, 3, 3); // 0.5
 */
export function betaQuantile(p: number, a: number, b: number): number {
  requireDomain(isShape(a) && isShape(b), 'shape', 'beta quantile needs finite shapes above zero');
  requireDomain(p >= 0 && p <= 1, 'probability', 'beta quantile needs a probability in [0, 1]');
  if (p === 0 || p === 1) return p;
  if (p <= 0.5) return logistic(lowerLogit(p, a, b));
  return logistic(-lowerLogit(1 - p, b, a));
}

const logistic = (logit: number): number => 1 / (1 + exp(-logit));
