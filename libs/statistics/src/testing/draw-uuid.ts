import type { Rng } from '../random';

/** Random UUID of version 4, from the generator's own stream. */
export function drawUuid(rng: Rng): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(rng.next() * 16).toString(16));
  hex[12] = '4';
  hex[16] = (8 + Math.floor(rng.next() * 4)).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .map((part) => part.join(''))
    .join('-');
}
