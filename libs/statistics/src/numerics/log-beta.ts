import { log } from './log';
import { STIRLING_FROM, logGammaUnchecked, stirlingRemainder } from './log-gamma';
import { log1p } from './log1p';
import { isShape, requireDomain } from './stats-domain-error';

const HALF_LOG_TWO_PI = 0.9189385332046727418;

/** log-beta without the argument check. */
export function logBetaUnchecked(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < STIRLING_FROM) {
    return logGammaUnchecked(small) + logGammaUnchecked(large) - logGammaUnchecked(small + large);
  }
  const ratio = small / (small + large);
  if (small < STIRLING_FROM) {
    const remainder = stirlingRemainder(large) - stirlingRemainder(small + large);
    return (
      logGammaUnchecked(small) +
      remainder +
      small -
      small * log(small + large) +
      (large - 0.5) * log1p(-ratio)
    );
  }
  const remainder = stirlingRemainder(small) + stirlingRemainder(large) - stirlingRemainder(small + large);
  return -0.5 * log(large) + HALF_LOG_TWO_PI + remainder + (small - 0.5) * log(ratio) + large * log1p(-ratio);
}

/**
 * Natural logarithm of the beta function B(a, b) = gamma(a) gamma(b) / gamma(a + b).
 *
 * Shapes: scalars in, scalar out.
 * @param a - finite, > 0
 * @param b - finite, > 0
 * @returns log B(a, b); for large arguments the Stirling remainders are subtracted, not the
 * log-gammas, so nothing cancels
 * @throws StatsDomainError with code `shape`
 *
 * Reference: DLMF 5.12.1; the split by size follows Didonato and Morris (1992).
 * Oracle: fixtures/numerics.json (mpmath at 50 digits), rtol 1e-10.
 *
 * @example
 * logBeta(2, 3); // -2.4849066497880004
 */
export function logBeta(a: number, b: number): number {
  requireDomain(isShape(a) && isShape(b), 'shape', 'log-beta needs finite arguments above zero');
  return logBetaUnchecked(a, b);
}
