import { POSITIONS } from '@outcomes/contracts';
import { isBundle } from './campaign-bundles';
import type { ChannelDays } from './channel-history';

/** What a campaign has sent and been answered of late. */
export interface CampaignSums {
  /** Key of the campaign; 0 for the messages that name none. */
  readonly campaign: number;
  readonly replies: number;
  /** Per position: messages, each counted as far as its replies can have come. */
  readonly messages: Float64Array;
}

interface Sums {
  readonly messages: Float64Array;
  replies: number;
  total: number;
}

/** What a campaign did longer ago says little of what it is doing. */
const RECENT_DAYS = 60;
/** Of the others nothing is said: so few messages say nothing either. */
const MOST_CAMPAIGNS = 200;

/**
 * The campaigns of the last 60 days, those with the most messages first, at most 200.
 * @param within.from - day of the last change: before it, replies were other ones
 * @param share - of the replies to a day's messages that can have been counted by now
 */
export function campaignSums(
  { counts, campaigns }: ChannelDays,
  within: { readonly from: number; readonly to: number },
  share: (day: number) => number,
): CampaignSums[] {
  const from = Math.max(within.from, within.to - RECENT_DAYS + 1);
  const sums = campaigns.map((): Sums | undefined => undefined);
  let [shared, shareOfDay] = [-Infinity, 0];
  for (let row = 0; row < counts.size; row += 1) {
    const day = counts.day[row] as number;
    if (day < from || day > within.to) continue;
    const index = counts.campaign[row] as number;
    if (isBundle(campaigns[index] as number)) continue;
    if (day !== shared) [shared, shareOfDay] = [day, share(day)];
    const sum = (sums[index] ??= { messages: new Float64Array(POSITIONS.length), replies: 0, total: 0 });
    const position = counts.position[row] as number;
    sum.messages[position] = (sum.messages[position] as number) + (counts.n[row] as number) * shareOfDay;
    sum.replies += counts.y[row] as number;
    sum.total += counts.n[row] as number;
  }
  return sums
    .flatMap((sum, index) => (sum ? [[campaigns[index] as number, sum] as const] : []))
    .sort(([a, left], [b, right]) => right.total - left.total || a - b)
    .slice(0, MOST_CAMPAIGNS)
    .map(([campaign, { messages, replies }]) => ({ campaign, replies, messages }));
}
