import { requireDomain } from '../numerics/stats-domain-error';

/** Share of the older weight that is kept once rates have drifted. */
export const KEPT_AFTER_DRIFT = 0.15;
/** Daily discount of an arm's counts. */
export const DAILY_DISCOUNT = 0.995;

/**
 * Weight of one send day's counts in the arms: 0.995 per day of age, and 15 % of that before a rate drift.
 *
 * Shapes: scalars in, scalar out.
 * @param day - send day
 * @param asOfDay - day of the estimate, >= day
 * @param since - first day after the last rate drift, or null
 * @returns weight in (0, 1]
 * @throws StatsDomainError with code `order`
 *
 * @example
 * cohortWeight(100, 100, null); // 1
 */
export function cohortWeight(day: number, asOfDay: number, since: number | null): number {
  requireDomain(day <= asOfDay, 'order', 'a cohort cannot be younger than the estimate');
  return DAILY_DISCOUNT ** (asOfDay - day) * (since !== null && day < since ? KEPT_AFTER_DRIFT : 1);
}
