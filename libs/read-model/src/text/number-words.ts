import type { RateEstimate } from '@outcomes/contracts';

/** 0.0312 as `3.1 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `3.1 % (95 % interval 2.2 % to 4.3 %, n = 1200)`, or that nothing is known. */
export function rateWords({ value, ci_low, ci_high, n }: RateEstimate): string {
  if (value === null || ci_low === null || ci_high === null) return 'unknown (no settled outcome)';
  return `${percent(value)} (95 % interval ${percent(ci_low)} to ${percent(ci_high)}, n = ${n})`;
}

/** `1 arm`, `2 arms`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
