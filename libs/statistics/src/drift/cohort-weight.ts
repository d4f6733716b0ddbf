import { requireDomain } from '../numerics/stats-domain-error';

/** Daily discount of an arm's counts. */
export const DAILY_DISCOUNT = 0.995;

/**
 * Weight of one send day's counts in the arms: 0.995 per day of age, and nothing of what lies before a rate drift.
 *
 * Keeping 15 % of the older weight looks prudent and is not: after a halving on day 60 of 90, the 95 % intervals
 * then cover 85 %, against 96 % (one position of four changed: 91 % against 96 %), with the larger error both
 * times. See the forgetting lines of verify:statistics.
 *
 * Shapes: scalars in, scalar out.
 * @param day - send day
 * @param asOfDay - day of the estimate, >= day
 * @param since - first day after the last rate drift, or null
 * @returns weight in [0, 1]
 * @throws StatsDomainError with code `order`
 *
 * Reference: West and Harrison (1997), Bayesian Forecasting and Dynamic Models, chapter 6 (discounting).
 *
 * @example
 * cohortWeight(100, 100, null); // 1
 */
export function cohortWeight(day: number, asOfDay: number, since: number | null): number {
  requireDomain(day <= asOfDay, 'order', 'a cohort cannot be younger than the estimate');
  return since !== null && day < since ? 0 : DAILY_DISCOUNT ** (asOfDay - day);
}
