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

/**
 * The posterior that was widened: what is known, before what may still come.
 *
 * Shapes: scalars in, one pair out.
 * @param shape - Beta shapes as `widen` gives them, each finite and > 0
 * @param variance - the variance that was added, finite, >= 0, less than 1 / alpha + 1 / beta
 * @returns shapes of the same mean
 * @throws StatsDomainError with code `shape` or `range`
 *
 * Reference: the inverse of `widen`. Oracle: arm-memory.spec.ts (there and back).
 *
 * @example
 * narrow({ alpha: 4.2016807, beta: 79.831933 }, 0.04); // { alpha: 5, beta: 95 }
 */
export function narrow(shape: BetaShape, variance: number): BetaShape {
  const { alpha, beta } = shape;
  requireDomain(isShape(alpha) && isShape(beta), 'shape', 'Beta shapes must be > 0');
  const added = 1 / alpha + 1 / beta;
  requireDomain(variance >= 0 && variance < added, 'range', 'no more can be taken away than was added');
  const factor = added / (added - variance);
  return { alpha: alpha * factor, beta: beta * factor };
}
