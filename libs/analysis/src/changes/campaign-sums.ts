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
  const sums = new Map<number, { messages: Float64Array; replies: number; total: number }>();
  for (let row = 0; row < counts.size; row += 1) {
    const day = counts.day[row] ?? 0;
    const campaign = campaigns[counts.campaign[row] ?? 0] ?? 0;
    if (day < from || day > within.to || isBundle(campaign)) continue;
    const sum = sums.get(campaign) ?? { messages: new Float64Array(POSITIONS.length), replies: 0, total: 0 };
    sums.set(campaign, sum);
    const position = counts.position[row] ?? 0;
    sum.messages[position] = (sum.messages[position] ?? 0) + (counts.n[row] ?? 0) * share(day);
    sum.replies += counts.y[row] ?? 0;
    sum.total += counts.n[row] ?? 0;
  }
  return [...sums]
    .sort(([a, left], [b, right]) => right.total - left.total || a - b)
    .slice(0, MOST_CAMPAIGNS)
    .map(([campaign, { messages, replies }]) => ({ campaign, replies, messages }));
}
