import type { AlertCode } from '@outcomes/contracts';

const SMALL = 30;
const VERY_SMALL = 10;

/** @param n - resolved outcomes behind the headline number */
export function sampleAlerts(n: number): AlertCode[] {
  if (n < VERY_SMALL) return ['very_small_sample'];
  return n < SMALL ? ['small_sample'] : [];
}
