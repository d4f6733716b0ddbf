import { log } from './log';
import { log1p } from './log1p';
import { isShape, requireDomain } from './stats-domain-error';

/**
 * Taylor coefficients of log-gamma around 2: 1 - gamma, then (-1)^k (zeta(k) - 1) / k for k >= 2.
 * Printed by mpmath 1.4.1 at 40 digits. log-gamma has zeros at 1 and 2, where any other
 * form loses its relative accuracy by cancellation.
 */
const AROUND_TWO = [
  0.42278433509846713939, 0.32246703342411321824, -0.067352301053198095133, 0.020580808427784547879,
  -0.0073855510286739852663, 0.0028905103307415232858, -0.0011927539117032609771, 0.00050966952474304242234,
  -0.00022315475845357937976, 0.000099457512781808533715, -0.0000449262367381331417,
  0.000020507212775670691553, -9.439488275268395904e-6, 4.3748667899074878042e-6, -2.0392157538013662368e-6,
  9.5514121304074198329e-7, -4.4924691987645660433e-7, 2.1207184805554665869e-7, -1.0043224823968099609e-7,
  4.7698101693639805658e-8, -2.271109460894316491e-8, 1.0838659214896954091e-8, -5.1834750419700466551e-9,
  2.4836745438024783172e-9, -1.1921401405860912074e-9, 5.7313672416788620133e-10,
] as const;

const HALF_LOG_TWO_PI = 0.9189385332046727418;

/** From here on Stirling's series with seven terms is exact to double precision. */
export const STIRLING_FROM = 10;

/**
 * Stirling remainder: log-gamma(x) - [(x - 1/2) log x - x + log(2 pi) / 2].
 * Domain: x >= 10 (not checked: this is the inner loop of the incomplete functions).
 */
export function stirlingRemainder(x: number): number {
  const inverse = 1 / x;
  const t = inverse * inverse;
  return (
    inverse *
    (1 / 12 +
      t *
        (-1 / 360 + t * (1 / 1260 + t * (-1 / 1680 + t * (1 / 1188 + t * (-691 / 360360 + t * (1 / 156)))))))
  );
}

/** log-gamma(2 + z) for |z| <= 1/2. */
function aroundTwo(z: number): number {
  let sum = 0;
  for (let k = AROUND_TWO.length - 1; k >= 0; k--) sum = sum * z + (AROUND_TWO[k] as number);
  return sum * z;
}

/** log-gamma without the argument check, for inner loops whose arguments are positive by construction. */
export function logGammaUnchecked(x: number): number {
  if (x >= STIRLING_FROM) return (x - 0.5) * log(x) - x + HALF_LOG_TWO_PI + stirlingRemainder(x);
  // gamma(x) = gamma(x + 2) / (x (x + 1)), and gamma(x) = gamma(x + 1) / x: both land within 1/2 of two.
  if (x < 0.5) return aroundTwo(x) - log1p(x) - log(x);
  if (x < 1.5) return aroundTwo(x - 1) - log1p(x - 1);
  if (x <= 2.5) return aroundTwo(x - 2);
  let product = 1;
  let shifted = x;
  while (shifted > 2.5) {
    shifted -= 1;
    product *= shifted;
  }
  return aroundTwo(shifted - 2) + log(product);
}

/**
 * Natural logarithm of the gamma function.
 *
 * Shapes: scalar in, scalar out.
 * @param x - finite, > 0
 * @returns log(gamma(x)), relative error below 1e-13 (absolute below 1e-15 at its zeros 1 and 2)
 * @throws StatsDomainError with code `shape`
 *
 * Reference: DLMF 5.11.1 (Stirling), 5.7.3 (Taylor series at 2).
 * Oracle: fixtures/numerics.json (mpmath at 50 digits), rtol 1e-10.
 *
 * @example
 * logGamma(5); // 3.178053830347946
 */
export function logGamma(x: number): number {
  requireDomain(isShape(x), 'shape', 'log-gamma needs a finite argument above zero');
  return logGammaUnchecked(x);
}
