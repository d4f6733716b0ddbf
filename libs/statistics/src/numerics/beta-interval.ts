import { betaQuantile } from './beta-quantile';
import { requireDomain } from './stats-domain-error';

/**
 * Equal-tailed credible interval for a reply rate under a Beta posterior.
 *
 * Shapes: scalars in, one pair out.
 * @param alpha - prior plus observed replies; pseudo-count, finite, > 0
 * @param beta - prior plus observed non-replies; pseudo-count, finite, > 0
 * @param mass - probability inside; fraction in (0, 1), not a percentage
 * @returns `{ low, high }`, fractions in [0, 1], low <= high
 * @throws StatsDomainError with code `shape` or `mass`
 *
 * Equal-tailed, not highest-density: the endpoints survive monotone transforms, so that rates
 * and odds agree.
 * Reference: Gelman et al., BDA3, section 2.3.
 * Oracle: fixtures/beta-interval.json (mpmath at 50 digits, SciPy beside it), rtol 1e-10.
 *
 * @example
 * betaInterval(8, 44, 0.95); // { low: 0.070240833, high: 0.262551543 }
 */
export function betaInterval(alpha: number, beta: number, mass: number): { low: number; high: number } {
  requireDomain(mass > 0 && mass < 1, 'mass', 'an interval needs a mass in (0, 1)');
  const tail = (1 - mass) / 2;
  return { low: betaQuantile(tail, alpha, beta), high: betaQuantile(1 - tail, alpha, beta) };
}
