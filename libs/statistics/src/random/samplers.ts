import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { log1p } from '../numerics/log1p';
import { requireDomain } from '../numerics/stats-domain-error';
import type { Rng } from './rng';

/**
 * Draws an index with the given probabilities.
 *
 * Shapes: K weights in, one index out.
 * @param rng - source of randomness
 * @param weights - >= 0, at least one above zero; need not sum to one
 * @returns whole number in 0..K - 1
 * @throws StatsDomainError with code `size`
 *
 * Reference: Devroye (1986), Non-Uniform Random Variate Generation, section III.2 (inversion).
 *
 * @example
 * drawIndex(seededRng(1), [0, 1, 0]); // 1
 */
export function drawIndex(rng: Rng, weights: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i] as number;
  requireDomain(total > 0, 'size', 'weights need a positive sum');
  let left = rng.next() * total;
  for (let i = 0; i < weights.length - 1; i++) {
    left -= weights[i] as number;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/**
 * Draws a standard normal number (polar Box-Muller, one of the pair).
 *
 * Shapes: scalars in, one draw out.
 * @param rng - source of randomness
 * @returns finite number, mean 0 and variance 1
 * Never throws.
 *
 * Reference: Marsaglia and Bray (1964), SIAM Review 6, 260-264.
 *
 * @example
 * Number.isFinite(drawNormal(seededRng(1))); // true
 */
export function drawNormal(rng: Rng): number {
  for (;;) {
    const u = 2 * rng.next() - 1;
    const v = 2 * rng.next() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * log(s)) / s);
  }
}

/**
 * Draws from Gamma(shape, rate 1).
 *
 * Shapes: scalars in, one draw out.
 * @param rng - source of randomness
 * @param shape - finite, > 0
 * @returns number >= 0 with mean `shape`
 * @throws StatsDomainError with code `shape`
 *
 * Reference: Marsaglia and Tsang (2000), ACM Transactions on Mathematical Software 26, 363-372.
 *
 * @example
 * drawGamma(seededRng(1), 2) > 0; // true
 */
export function drawGamma(rng: Rng, shape: number): number {
  requireDomain(shape > 0 && shape < Infinity, 'shape', 'a gamma shape must be finite and above zero');
  if (shape < 1) return drawGamma(rng, shape + 1) * exp(log(1 - rng.next()) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const root = 1 + c * x;
    const v = root * root * root;
    if (v > 0 && log(1 - rng.next()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

/**
 * Draws from Beta(a, b).
 *
 * Shapes: scalars in, one draw out.
 * @param rng - source of randomness
 * @param a - finite, > 0
 * @param b - finite, > 0
 * @returns number in [0, 1]
 * @throws StatsDomainError with code `shape`
 *
 * Reference: Devroye (1986), Non-Uniform Random Variate Generation, section IX.4 (ratio of gammas).
 *
 * @example
 * drawBeta(seededRng(1), 2, 3) < 1; // true
 */
export function drawBeta(rng: Rng, a: number, b: number): number {
  const x = drawGamma(rng, a);
  const y = drawGamma(rng, b);
  return x + y > 0 ? x / (x + y) : a / (a + b);
}

/**
 * Draws from Poisson(mean) exactly: by multiplication for small means, by halving through a gamma for large ones.
 *
 * Shapes: scalars in, one draw out.
 * @param rng - source of randomness
 * @param mean - finite, >= 0
 * @returns whole number >= 0
 * @throws StatsDomainError with code `range`
 *
 * Reference: Ahrens and Dieter (1974), Computing 12, 223-246.
 *
 * @example
 * drawPoisson(seededRng(1), 0); // 0
 */
export function drawPoisson(rng: Rng, mean: number): number {
  requireDomain(mean >= 0 && mean < Infinity, 'range', 'a Poisson mean must be finite and >= 0');
  let rest = mean;
  let count = 0;
  while (rest > 30) {
    // The m-th arrival of a unit-rate process is Gamma(m): either it lies inside, or the count is binomial.
    const m = Math.floor(0.875 * rest);
    const arrival = drawGamma(rng, m);
    if (arrival > rest) return count + drawBinomial(rng, m - 1, rest / arrival);
    count += m;
    rest -= arrival;
  }
  const limit = exp(-rest);
  for (let product = rng.next(); product > limit; product *= rng.next()) count++;
  return count;
}

/**
 * Draws from Binomial(n, p) exactly: waiting times between successes, or beta splitting for large n p.
 *
 * Shapes: scalars in, one draw out.
 * @param rng - source of randomness
 * @param n - trials, whole, >= 0
 * @param p - probability of a success, in [0, 1]
 * @returns whole number in 0..n
 * @throws StatsDomainError with code `count` or `probability`
 *
 * Reference: Devroye (1986), Non-Uniform Random Variate Generation, section X.4.
 *
 * @example
 * drawBinomial(seededRng(1), 10, 1); // 10
 */
export function drawBinomial(rng: Rng, n: number, p: number): number {
  requireDomain(Number.isInteger(n) && n >= 0, 'count', 'a number of trials must be whole and >= 0');
  requireDomain(p >= 0 && p <= 1, 'probability', 'a probability must be in [0, 1]');
  if (p > 0.5) return n - drawBinomial(rng, n, 1 - p);
  let trials = n;
  let chance = p;
  let count = 0;
  while (trials * chance > 40) {
    const middle = Math.floor(trials / 2) + 1;
    const order = drawBeta(rng, middle, trials + 1 - middle);
    if (order <= chance) {
      count += middle;
      trials -= middle;
      chance = (chance - order) / (1 - order);
    } else {
      trials = middle - 1;
      chance /= order;
    }
  }
  if (chance <= 0) return count;
  if (chance >= 1) return count + trials;
  const logMiss = log1p(-chance);
  for (let at = 0; ; count++) {
    at += 1 + Math.floor(log(1 - rng.next()) / logMiss);
    if (at > trials) return count;
  }
}
