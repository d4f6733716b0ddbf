import { highWord, LN2_HIGH, LN2_LOW, powerOfTwo } from './double-words';
import { ATANH } from './log';

/** Between these 1 + x stays between the square roots of a half and of two, to the method's own bounds. */
const ROOT_HALF_LESS_ONE = -0.292893648147583;
const ROOT_TWO_LESS_ONE = 0.4142136573791504;
/** 2^-29, below which two terms of the series are enough, and 2^-54, below which one is. */
const TINY = 1.862645149230957e-9;
const TINIEST = 5.551115123125783e-17;
/** 2^53, from where on 1 + x is x. */
const TWO_TO_53 = 9_007_199_254_740_992;
const MANTISSA = 0x000fffff;
const MANTISSA_OF_ROOT_TWO = 0x6a09e;

const [A1, A2, A3, A4, A5, A6, A7] = ATANH;

/**
 * log(1 + x) without loss for small x, the same bits on every engine: the language leaves `Math.log1p` to the engine.
 *
 * Shapes: one number in, one out.
 * @param x - any number
 * @returns log(1 + x), less than one unit in the last place away; -Infinity for -1, NaN below it and for NaN
 * Never throws.
 *
 * Reference: fdlibm 5.3 (Sun Microsystems, 1993), s_log1p: as its logarithm, with a term for what 1 + x rounds away.
 * V8 computes by the same steps, so these are the bits of `Math.log1p` in Node on x64.
 *
 * @example
 * log1p(1e-10); // 9.9999999995e-11
 */
export function log1p(x: number): number {
  if (!(x > -1 && x < Infinity)) return x === -1 ? -Infinity : x > 0 ? x : NaN;
  if (Math.abs(x) < TINY) return Math.abs(x) < TINIEST ? x : x - x * x * 0.5;
  if (x > ROOT_HALF_LESS_ONE && x < ROOT_TWO_LESS_ONE) {
    const half = 0.5 * x * x;
    return x - (half - withRest(x, half));
  }
  const sum = x < TWO_TO_53 ? 1 + x : x;
  const word = highWord(sum);
  const exponent = (word >> 20) - 1023;
  const lost = x < TWO_TO_53 ? (exponent > 0 ? 1 - (sum - x) : x - (sum - 1)) / sum : 0;
  const mantissa = word & MANTISSA;
  const isUpper = mantissa >= MANTISSA_OF_ROOT_TWO;
  const k = isUpper ? exponent + 1 : exponent;
  const f = sum * powerOfTwo(-k) - 1;
  const low = k * LN2_LOW + lost;
  const half = 0.5 * f * f;
  // The upper half is halved, so that its distance from one is measured in steps of another size.
  const isNearOne = (isUpper ? (0x00100000 - mantissa) >> 2 : mantissa) === 0;
  if (!isNearOne) return k * LN2_HIGH - (half - (withRest(f, half) + low) - f);
  if (f === 0) return k * LN2_HIGH + low;
  return k * LN2_HIGH - (half * (1 - 0.66666666666666666 * f) - low - f);
}

/** s (half + R), where log(1 + f) = f - (half - s (half + R)), s = f / (2 + f) and half = f^2 / 2. */
function withRest(f: number, half: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const rest = z * (A1 + z * (A2 + z * (A3 + z * (A4 + z * (A5 + z * (A6 + z * A7))))));
  return s * (half + rest);
}
