import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { requireDomain } from '../numerics/stats-domain-error';

/** A source of uniform numbers in [0, 1). Functions that need randomness take one; none makes its own. */
export interface Rng {
  next(): number;
}

/** Outputs thrown away, so that the sparse state made of a seed is well mixed before it is used. */
const WARM_UP = 64;

/** Murmur's finaliser: neighbouring seeds become unrelated states. */
function scramble(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * Seeded random numbers: the same seed gives the same stream on every machine.
 *
 * Shapes: scalar in, one stream out.
 * @param seed - whole number; taken modulo 2^32
 * @returns uniform numbers in [0, 1), one per call of `next`
 * @throws StatsDomainError with code `range`
 *
 * Generator: xoroshiro128+ of pure-rand, 53 random bits per number.
 * Reference: Blackman and Vigna (2021), ACM Transactions on Mathematical Software 47, 36.
 *
 * @example
 * seededRng(7).next() === seededRng(7).next(); // true
 */
export function seededRng(seed: number): Rng {
  requireDomain(Number.isSafeInteger(seed), 'range', 'a seed must be a whole number');
  const generator = xoroshiro128plus(scramble(seed));
  for (let i = 0; i < WARM_UP; i++) generator.next();
  return { next: () => uniformFloat64(generator) };
}
