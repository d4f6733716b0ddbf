import { isShape, requireDomain } from '../numerics/stats-domain-error';
import type { BetaShape } from './best-arm';

/** The shapes with a variance on the logit added: the mean stays, the size shrinks. Unchecked. */
export function widened({ alpha, beta }: BetaShape, variance: number): BetaShape {
  const factor = 1 / (1 + variance / (1 / alpha + 1 / beta));
  return { alpha: alpha * factor, beta: beta * factor };
}

/**
 * A Beta posterior widened for what its rate may still move.
 *
 * Shapes: scalars in, one pair out.
 * @param shape - Beta shapes, each finite and > 0
 * @param variance - variance of the move on the logit, finite, >= 0
 * @returns shapes of the same mean and a logit variance of about 1 / alpha + 1 / beta + variance
 * @throws StatsDomainError with code `shape` or `range`
 *
 * Reference: West and Harrison (1997), Bayesian Forecasting and Dynamic Models, section 6.3 (discounting).
 *
 * @example
 * widen({ alpha: 5, beta: 95 }, 0.04); // { alpha: 4.2016807, beta: 79.831933 }
 */
export function widen(shape: BetaShape, variance: number): BetaShape {
  requireDomain(isShape(shape.alpha) && isShape(shape.beta), 'shape', 'Beta shapes must be > 0');
  requireDomain(variance >= 0 && variance < Infinity, 'range', 'a variance must be finite and >= 0');
  return widened(shape, variance);
}
