import { requireDomain } from '../numerics/stats-domain-error';
import { BUCKETS, type ChannelCounts, checkChannelCounts, firstSendDay, rowFrom } from './channel-counts';

/** What a channel's last 30 days of sends are beside the 90 before. Facts, not tests: they never touch trust. */
export interface MixAndVolume {
  /** total variation between the shares of the strata (position and step), in [0, 1]; null without sends in both */
  readonly mixDistance: number | null;
  readonly mixAlert: boolean;
  /** sends a day over those before; null without sends before, or with fewer than 14 days before */
  readonly volumeRatio: number | null;
  readonly volumeAlert: boolean;
}

const RECENT_DAYS = 30;
const EARLIER_DAYS = 90;
/** Days before the recent ones that say what was usual. */
const LEAST_EARLIER_DAYS = 14;
const MIX_ALERT = 0.25;
const VOLUME_ALERT = 2;

/**
 * Mix and volume of the last 30 days against the 90 before.
 *
 * Shapes: counts of any number of days in, two numbers and two flags out.
 * @param counts - sends of one channel, sorted by day; settled or not
 * @param asOfDay - last of the 30 days, whole
 * @param startDay - day of the channel's first send; default that of the counts
 * @returns the facts; alerts from a total variation of .25, from twice the sends, from half of them
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 *
 * Reference: Levin and Peres (2017), Markov Chains and Mixing Times, section 4.1 (total variation).
 *
 * @example
 * mixAndVolume(channelWorld({ days: 120, sendsPerDay: 60 }, seededRng(1)).counts, 119).volumeAlert; // false
 */
export function mixAndVolume(
  counts: ChannelCounts,
  asOfDay: number,
  startDay = firstSendDay(counts) ?? asOfDay,
): MixAndVolume {
  requireDomain(Number.isInteger(asOfDay), 'range', 'days are counted in whole numbers');
  const [from, cut, to] = [asOfDay - RECENT_DAYS - EARLIER_DAYS, asOfDay - RECENT_DAYS, asOfDay].map((day) =>
    rowFrom(counts, day + 1),
  ) as [number, number, number];
  checkChannelCounts(counts, from, to);
  const [earlier, recent] = [sendsOf(counts, from, cut), sendsOf(counts, cut, to)];
  const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  const [allEarlier, allRecent] = [sum(earlier), sum(recent)];
  const known = Math.min(EARLIER_DAYS, asOfDay - RECENT_DAYS + 1 - startDay);
  const mixDistance =
    allEarlier > 0 && allRecent > 0
      ? recent.reduce((d, n, s) => d + 0.5 * Math.abs(n / allRecent - (earlier[s] as number) / allEarlier), 0)
      : null;
  const volumeRatio =
    allEarlier > 0 && known >= LEAST_EARLIER_DAYS ? allRecent / RECENT_DAYS / (allEarlier / known) : null;
  return {
    mixDistance,
    mixAlert: mixDistance !== null && mixDistance >= MIX_ALERT,
    volumeRatio,
    volumeAlert: volumeRatio !== null && (volumeRatio >= VOLUME_ALERT || volumeRatio <= 1 / VOLUME_ALERT),
  };
}

/** Sends of some rows per stratum, by position and then by step. */
function sendsOf({ position, step, n }: ChannelCounts, from: number, to: number): Float64Array {
  const sends = new Float64Array(BUCKETS * BUCKETS);
  for (let row = from; row < to; row++) {
    const stratum = (position[row] as number) * BUCKETS + (step[row] as number);
    sends[stratum] = (sends[stratum] as number) + (n[row] as number);
  }
  return sends;
}
