import { exp } from './exp';
import { log } from './log';
import { requireDomain } from './stats-domain-error';

const INVERSE_SQRT_TWO_PI = 0.39894228040143267794;
/** Below this the power series is exact to rounding; above it the continued fraction is. */
const SERIES_UP_TO = 3;

/**
 * Standard normal density.
 *
 * Shapes: scalar in, scalar out.
 * @param x - any number
 * @returns density, in (0, 0.399]; 0 where it underflows
 * Never throws.
 *
 * Reference: DLMF 7.20(iii).
 *
 * @example
 * normalDensity(0); // 0.3989422804014327
 */
export function normalDensity(x: number): number {
  return INVERSE_SQRT_TWO_PI * exp(-0.5 * x * x);
}

/** Phi(x) - 1/2 for |x| <= 3: x phi(x) (1 + x^2/3 + x^4/15 + ...). */
function centralPart(x: number): number {
  const x2 = x * x;
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= x2 / k;
    sum += term;
  }
  return sum * normalDensity(x);
}

/** Mills ratio (1 - Phi(x)) / phi(x) for x > 3, by its continued fraction from the tail end. */
function millsRatio(x: number): number {
  let value = x;
  for (let k = Math.ceil(30 + 600 / (x * x)); k >= 1; k--) value = x + k / value;
  return 1 / value;
}

/**
 * Standard normal distribution function.
 *
 * Shapes: scalar in, scalar out.
 * @param x - any number, infinities included
 * @returns probability in [0, 1]; relative error below 1e-12 in the lower tail down to 1e-300
 * @throws StatsDomainError with code `range` for NaN
 *
 * Reference: DLMF 7.6.2 (series), 7.9.1 (continued fraction).
 * Oracle: fixtures/numerics.json (mpmath at 50 digits), rtol 1e-10.
 *
 * @example
 * normalCdf(1.959963984540054); // 0.975
 */
export function normalCdf(x: number): number {
  requireDomain(!Number.isNaN(x), 'range', 'normal cdf needs a number');
  if (x < -40) return 0;
  if (x > 40) return 1;
  if (Math.abs(x) <= SERIES_UP_TO) return 0.5 + centralPart(x);
  const tail = normalDensity(x) * millsRatio(Math.abs(x));
  return x < 0 ? tail : 1 - tail;
}

// Acklam's rational approximation (1.15e-9), polished below by one third-order step.
const CENTRAL_TOP = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
] as const;
const CENTRAL_BOTTOM = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1,
] as const;
const TAIL_TOP = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
] as const;
const TAIL_BOTTOM = [
  0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1,
] as const;

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}

/** Lower-half quantile: p in (0, 1/2]. */
function lowerQuantile(p: number): number {
  if (p > 0.02425) {
    const q = p - 0.5;
    let x = (q * polynomial(CENTRAL_TOP, q * q)) / polynomial(CENTRAL_BOTTOM, q * q);
    for (let i = 0; i < 2; i++) {
      const error = (centralPart(x) - q) / normalDensity(x);
      x -= error / (1 + 0.5 * x * error);
    }
    return x;
  }
  const r = Math.sqrt(-2 * log(p));
  let x = polynomial(TAIL_TOP, r) / polynomial(TAIL_BOTTOM, r);
  for (let i = 0; i < 3; i++) {
    // Newton on log Phi: well scaled where Phi itself is about to underflow.
    const mills = x < -SERIES_UP_TO ? millsRatio(-x) : normalCdf(x) / normalDensity(x);
    const logCdf = -0.5 * x * x + log(INVERSE_SQRT_TWO_PI * mills);
    x -= (logCdf - log(p)) * mills;
  }
  return x;
}

/**
 * Standard normal quantile (inverse distribution function).
 *
 * Shapes: scalar in, scalar out.
 * @param p - probability in (0, 1)
 * @returns x with normalCdf(x) = p
 * @throws StatsDomainError with code `mass`
 *
 * Reference: Acklam's rational approximation, polished by Newton steps.
 * Oracle: fixtures/numerics.json (mpmath at 50 digits), rtol 1e-10.
 *
 * @example
 * normalQuantile(0.975); // 1.9599639845400545
 */
export function normalQuantile(p: number): number {
  requireDomain(p > 0 && p < 1, 'mass', 'normal quantile needs a probability in (0, 1)');
  return p <= 0.5 ? lowerQuantile(p) : -lowerQuantile(1 - p);
}
