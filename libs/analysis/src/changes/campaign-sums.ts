import { POSITIONS } from '@outcomes/contracts';
import { rowFrom } from '@outcomes/statistics';
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
const MAX_CAMPAIGNS = 200;

/**
 * The campaigns of the last 60 days, those with the most messages first, at most 200.
 * @param within.from - day of the last change: before it, replies were other ones
 * @param share - of the replies to a day's messages that can have been counted by now; of a day with 0 nothing counts
 */
export function campaignSums(
  { counts, campaigns }: ChannelDays,
  within: { readonly from: number; readonly to: number },
  share: (day: number) => number,
): CampaignSums[] {
  const from = Math.max(within.from, within.to - RECENT_DAYS + 1);
  const sums = campaigns.map((): Sums | undefined => undefined);
  const last = rowFrom(counts, within.to + 1);
  for (let row = rowFrom(counts, from); row < last;) {
    const day = counts.day[row] as number;
    const shareOfDay = share(day);
    while (row < last && counts.day[row] === day)
      row = addCampaign(counts, row, last, sums, campaigns, shareOfDay);
  }
  return sums
    .flatMap((sum, index) => (sum ? [[campaigns[index] as number, sum] as const] : []))
    .sort(([a, left], [b, right]) => right.total - left.total || a - b)
    .slice(0, MAX_CAMPAIGNS)
    .map(([campaign, { messages, replies }]) => ({ campaign, replies, messages }));
}

/** Adds the rows of a campaign that stand together, from one of them on. @returns the row behind them */
function addCampaign(
  { day, campaign, position, n, y }: ChannelDays['counts'],
  first: number,
  last: number,
  sums: (Sums | undefined)[],
  campaigns: readonly number[],
  share: number,
): number {
  const index = campaign[first] as number;
  let row = first;
  if (isBundle(campaigns[index] as number)) {
    while (row < last && campaign[row] === index && day[row] === day[first]) row += 1;
    return row;
  }
  const sum = (sums[index] ??= { messages: new Float64Array(POSITIONS.length), replies: 0, total: 0 });
  const { messages } = sum;
  for (; row < last && campaign[row] === index && day[row] === day[first]; row += 1) {
    const at = position[row] as number;
    messages[at] = (messages[at] as number) + (n[row] as number) * share;
    if (share > 0) sum.replies += y[row] as number;
    sum.total += n[row] as number;
  }
  return row;
}
