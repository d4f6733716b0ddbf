import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';
import { type ChannelCounts, checkChannelCounts, rowFrom } from './channel-counts';

const RECENT_DAYS = 30;

/**
 * Variance, on the logit, that the turnover of campaigns brings to the next 30 days: the campaigns' variance times
 * how few of them carry the sends (sum of squared shares of the last 30 days).
 *
 * Shapes: counts of any number of days in, scalar out.
 * @param counts - sends of one channel, sorted by day; settled or not
 * @param asOfDay - last of the 30 days, whole
 * @param startDay - day of the last accepted change, or of the first send; earlier days do not count
 * @param campaignVariance - `campaignVariance` of the newest look, >= 0
 * @returns variance, >= 0; 0 without sends
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 *
 * Reference: Kish (1965), Survey Sampling, section 5.4 (the design effect of clusters of unequal size).
 * Oracle: fixtures/change.json (prototype of the design), rtol 1e-9.
 *
 * @example
 * campaignTurnover(channelWorld({ days: 40, sendsPerDay: 60, campaigns: 1 }, seededRng(1)).counts, 5, 0, 0.25); // 0.25
 */
export function campaignTurnover(
  counts: ChannelCounts,
  asOfDay: number,
  startDay: number,
  campaignVariance: number,
): number {
  const from = rowFrom(counts, Math.max(startDay, asOfDay - RECENT_DAYS + 1));
  const to = rowFrom(counts, asOfDay + 1);
  checkChannelCounts(counts, from, to);
  requireDomain(
    campaignVariance >= 0 && campaignVariance < Infinity,
    'range',
    'a variance must be finite and >= 0',
  );
  const sends = new Map<number, number>();
  let total = 0;
  for (let row = from; row < to; row++) {
    const campaign = Math.max(0, counts.campaign[row] as number);
    const n = counts.n[row] as number;
    sends.set(campaign, (sends.get(campaign) ?? 0) + n);
    total += n;
  }
  if (total === 0) return 0;
  return campaignVariance * [...sends.values()].reduce((sum, n) => sum + square(n / total), 0);
}
