import type { RateEstimate } from '@outcomes/contracts';

/** Digits of a percentage beyond which nothing is told apart: shares are served with six. */
const MOST_DECIMALS = 6;

/**
 * 0.0312 as `3.1 %`; with more decimals where it takes them for different shares to read differently, and none as
 * nothing or all that is not.
 */
export function percents(shares: readonly number[]): string[] {
  const told = new Set([0, 1, ...shares]);
  let decimals = 1;
  const words = (share: number) => `${(share * 100).toFixed(decimals)} %`;
  while (decimals < MOST_DECIMALS && new Set([...told].map(words)).size < told.size) decimals += 1;
  return shares.map(words);
}

export const percent = (share: number): string => percents([share])[0] as string;

/** `3.1 % (95 % interval 2.2 % to 4.3 %, n = 1200)`, or that nothing is known. */
export function rateWords({ value, ci_low, ci_high, n }: RateEstimate): string {
  if (value === null || ci_low === null || ci_high === null) return 'unknown (no settled outcome)';
  const [rate, low, high] = percents([value, ci_low, ci_high]);
  return `${rate} (95 % interval ${low} to ${high}, n = ${n})`;
}

/** `1 arm`, `2 arms`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
