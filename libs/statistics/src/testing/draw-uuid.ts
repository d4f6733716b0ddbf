import type { Rng } from '../random';

const DIGITS = '0123456789abcdef';

/** Random UUID of version 4, from the generator's own stream. */
export function drawUuid(rng: Rng): string {
  let hex = '';
  for (let i = 0; i < 32; i++) hex += DIGITS.charAt(Math.floor(rng.next() * 16));
  const variant = DIGITS.charAt(8 + Math.floor(rng.next() * 4));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
