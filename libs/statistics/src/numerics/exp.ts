import { LN2_HIGH, LN2_LOW, powerOfTwo } from './double-words';

const OVERFLOW = 7.09782712893383973096e2;
const UNDERFLOW = -7.4513321910194110842e2;
const INVERSE_LN2 = 1.442695040888963387;
/** From half of log 2 on a multiple of log 2 is taken off, and up to three halves it is one. The method's own bounds. */
const HALF_LN2 = 0.3465735912322998;
const THREE_HALVES_LN2 = 1.0397205352783203;
/** 2^-28: below it 1 + x is the nearest number. */
const TINY = 3.725290298461914e-9;
const E = 2.718281828459045;

/** The whole number of times that log 2 is taken off x, for |x| of at least half of log 2. */
export function multipleOfLn2(x: number): number {
  if (Math.abs(x) < THREE_HALVES_LN2) return x < 0 ? -1 : 1;
  return Math.trunc(INVERSE_LN2 * x + (x < 0 ? -0.5 : 0.5));
}

/** Whether x is its own remainder. */
export function isRemainder(x: number): boolean {
  return Math.abs(x) < HALF_LN2;
}

/** c of exp(r) = 1 + r + r c / (2 - c), for |r| <= log(2) / 2: r less a polynomial of r^2, to 2^-59. */
function correction(r: number): number {
  const t = r * r;
  const tail = 6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8);
  return r - t * (1.66666666666666019037e-1 + t * (-2.77777777770155933842e-3 + t * tail));
}

/** The product with 2^k, also where 2^k is no number and the product is one; rounded once. */
export function scaled(x: number, k: number): number {
  if (k === 1024) return x * 2 * powerOfTwo(1023);
  return k >= -1021 ? x * powerOfTwo(k) : x * powerOfTwo(k + 1000) * powerOfTwo(-1000);
}

/**
 * The exponential function, the same bits on every engine: the language leaves `Math.exp` to the engine, and engines
 * differ in the last bit.
 *
 * Shapes: one number in, one out.
 * @param x - any number
 * @returns e^x, less than one unit in the last place away; 0 below -745.13, Infinity above 709.78, NaN for NaN
 * Never throws.
 *
 * Reference: fdlibm 5.3 (Sun Microsystems, 1993), e_exp: x = k log 2 + r, a Remez polynomial of r^2, times 2^k. V8
 * computes by the same steps, so these are the bits of `Math.exp` in Node on x64.
 *
 * @example
 * exp(1); // 2.718281828459045
 */
export function exp(x: number): number {
  if (isRemainder(x)) {
    if (Math.abs(x) < TINY) return 1 + x;
    const c = correction(x);
    return 1 - ((x * c) / (c - 2) - x);
  }
  if (Number.isNaN(x)) return x;
  if (x > OVERFLOW) return Infinity;
  if (x < UNDERFLOW) return 0;
  if (x === 1) return E;
  const k = multipleOfLn2(x);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = correction(r);
  const fraction = 1 - (low - (r * c) / (2 - c) - high);
  return scaled(fraction, k);
}
