import { LN2_HIGH, LN2_LOW, powerOfTwo } from './double-words';
import { isRemainder, multipleOfLn2, scaled } from './exp';

const OVERFLOW = 7.09782712893383973096e2;
/** 56 log 2, to the method's own bound: below its negative only -1 is left. */
const ONLY_MINUS_ONE = -38.81622314453125;
/** 2^-54: below it x is the nearest number. */
const TINY = 5.551115123125783e-17;

/**
 * exp(x) - 1 without loss for small x, the same bits on every engine: the language leaves `Math.expm1` to the engine.
 *
 * Shapes: one number in, one out.
 * @param x - any number
 * @returns e^x - 1, less than one unit in the last place away; -1 below -38.8, Infinity above 709.78, NaN for NaN
 * Never throws.
 *
 * Reference: fdlibm 5.3 (Sun Microsystems, 1993), s_expm1: x = k log 2 + r, a rational function of r, and its product
 * with 2^k less one, in the order that loses least for each k. V8 computes by the same steps.
 *
 * @example
 * expm1(1e-10); // 1.00000000005e-10
 */
export function expm1(x: number): number {
  if (isRemainder(x)) {
    if (Math.abs(x) < TINY) return x;
    const { error, halfSquare } = errorOf(x);
    return x - (x * error - halfSquare);
  }
  if (Number.isNaN(x)) return x;
  if (x > OVERFLOW) return Infinity;
  if (x <= ONLY_MINUS_ONE) return -1;
  const k = multipleOfLn2(x);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const lost = high - r - low;
  const { error, halfSquare } = errorOf(r);
  return lessOne(r, r * (error - lost) - lost - halfSquare, k);
}

/** e of expm1(r) = r - (r e - r^2 / 2), for |r| <= log(2) / 2. */
function errorOf(r: number): { error: number; halfSquare: number } {
  const half = 0.5 * r;
  const halfSquare = r * half;
  const tail =
    -7.93650757867487942473e-5 +
    halfSquare * (4.00821782732936239552e-6 + halfSquare * -2.01099218183624371326e-7);
  const ratio =
    1 +
    halfSquare * (-3.33333333333331316428e-2 + halfSquare * (1.58730158725481460165e-3 + halfSquare * tail));
  const t = 3 - ratio * half;
  return { error: halfSquare * ((ratio - t) / (6 - r * t)), halfSquare };
}

/** 2^k (1 + r - e) - 1. */
function lessOne(r: number, e: number, k: number): number {
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  if (k <= -2 || k > 56) return scaled(1 - (e - r), k) - 1;
  const one = powerOfTwo(-k);
  if (k < 20) return (1 - one - (e - r)) * powerOfTwo(k);
  return (r - (e + one) + 1) * powerOfTwo(k);
}
