import { exp } from '../numerics/exp';
import { requireDomain } from '../numerics/stats-domain-error';

/** Above this overall rate an odds ratio overstates the risk ratio, and its square root is closer. */
const RARE = 0.15;

function strength(logOr: number, rate: number): number {
  const ratio = exp(Math.abs(logOr) * (rate > RARE ? 0.5 : 1));
  return ratio + Math.sqrt(ratio * (ratio - 1));
}

/**
 * VanderWeele-Ding E-value: how strongly a hidden confounder would have to be linked with both the
 * feature and the reply (as a risk ratio each) to explain the association away.
 *
 * Shapes: scalars in, one pair out.
 * @param logOr - adjusted log odds ratio, finite
 * @param low - lower end of its interval
 * @param high - upper end of its interval
 * @param rate - overall reply rate, in [0, 1]
 * @returns `{ estimate, limit }`, both >= 1; limit is for the interval's end nearer to no effect, and 1
 * where the interval contains it
 * @throws StatsDomainError with code `range` or `probability`
 *
 * Reference: VanderWeele and Ding (2017), Annals of Internal Medicine 167, 268-274.
 * Oracle: fixtures/r-evidence.json (EValue package of R), rtol 1e-12.
 *
 * @example
 * confoundingStrength(Math.log(2), Math.log(1.5), Math.log(3), 0.04); // { estimate: 3.414, limit: 2.366 }
 */
export function confoundingStrength(
  logOr: number,
  low: number,
  high: number,
  rate: number,
): { estimate: number; limit: number } {
  requireDomain(
    Number.isFinite(logOr) && low <= high,
    'range',
    'the estimate must be finite and low <= high',
  );
  requireDomain(rate >= 0 && rate <= 1, 'probability', 'a reply rate must be in [0, 1]');
  const nearest = low > 0 ? low : high < 0 ? high : 0;
  return { estimate: strength(logOr, rate), limit: strength(nearest, rate) };
}
