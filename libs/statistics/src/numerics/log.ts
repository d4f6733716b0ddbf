import { highWord, LN2_HIGH, LN2_LOW, powerOfTwo } from './double-words';

const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_TO_54 = 18_014_398_509_481_984;
/** 2^-20. */
const CLOSE_TO_ONE = 9.5367431640625e-7;
const MANTISSA = 0x000fffff;
/** Added to the mantissa it carries into the exponent from the square root of two on. */
const CARRY_FROM_ROOT_TWO = 0x95f64;
/** Mantissas on either side of the square root of two, where the square of f is taken off in full. */
const FAR_FROM = 0x6147a;
const FAR_TO = 0x6b851;

/** Coefficients of log((1 + s) / (1 - s)) / s - 2 in powers of s^2, for |s| <= .1716: |error| < 2^-58. */
export const ATANH = [
  6.66666666666673513e-1, 3.999999999940941908e-1, 2.857142874366239149e-1, 2.222219843214978396e-1,
  1.818357216161805012e-1, 1.531383769920937332e-1, 1.479819860511658591e-1,
] as const;

const [A1, A2, A3, A4, A5, A6, A7] = ATANH;

/**
 * The natural logarithm, the same bits on every engine: the language leaves `Math.log` to the engine.
 *
 * Shapes: one number in, one out.
 * @param x - any number
 * @returns log x, less than one unit in the last place away; -Infinity for zero, NaN below zero and for NaN
 * Never throws.
 *
 * Reference: fdlibm 5.3 (Sun Microsystems, 1993), e_log: x = 2^k (1 + f), log(1 + f) by a Remez polynomial in
 * s = f / (2 + f). V8 computes by the same steps, so these are the bits of `Math.log` in Node on x64.
 *
 * @example
 * log(10); // 2.302585092994046
 */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  const isNormal = x >= SMALLEST_NORMAL;
  const normal = isNormal ? x : x * TWO_TO_54;
  const word = highWord(normal);
  const mantissa = word & MANTISSA;
  const carry = (mantissa + CARRY_FROM_ROOT_TWO) & 0x00100000;
  const exponent = (word >> 20) - 1023 + (carry >> 20);
  const k = isNormal ? exponent : exponent - 54;
  const f = normal * powerOfTwo(-exponent) - 1;
  if (Math.abs(f) < CLOSE_TO_ONE) return nearOne(f, k);
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (A2 + w * (A4 + w * A6));
  const odd = z * (A1 + w * (A3 + w * (A5 + w * A7)));
  const rest = odd + even;
  if (mantissa >= FAR_FROM && mantissa <= FAR_TO) {
    const half = 0.5 * f * f;
    const part = s * (half + rest);
    return k === 0 ? f - (half - part) : k * LN2_HIGH - (half - (part + k * LN2_LOW) - f);
  }
  const part = s * (f - rest);
  return k === 0 ? f - part : k * LN2_HIGH - (part - k * LN2_LOW - f);
}

/** k log 2 + log(1 + f) for |f| < 2^-20. */
function nearOne(f: number, k: number): number {
  if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
  const rest = f * f * (0.5 - 0.33333333333333333 * f);
  return k === 0 ? f - rest : k * LN2_HIGH - (rest - k * LN2_LOW - f);
}
