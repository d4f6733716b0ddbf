import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Draws digits and letters (ASCII, upper and lower case) from the system's randomness, all 62 equally likely.
 * @param length - in characters of log2(62) = 5.95 bits each: 22 hold 130 bits, 32 hold 190
 */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
