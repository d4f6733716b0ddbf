import type { Channel, ChannelCampaigns } from '@outcomes/contracts';
import { campaignKeyOf } from './campaign-key';

/** Replies of a campaign, those that the arms expect of the same messages, and how much campaigns differ. */
export interface KnownCampaign {
  readonly replies: number;
  readonly expected: number;
  /** Variance of the campaigns' levels on the logit, above 0. */
  readonly variance: number;
}

/**
 * Looks campaigns up by their id. One that is new on a channel, or too small, is known as what it is: a campaign of
 * which nothing is known.
 * @returns function of a channel and a campaign_id (null: messages that name none); undefined where campaigns are alike
 */
export function campaignRecords(
  channels: readonly ChannelCampaigns[],
): (channel: Channel, campaignId: string | null) => KnownCampaign | undefined {
  const known = new Map(
    channels.map(({ channel, variance, records }) => [
      channel,
      {
        variance,
        records: new Map(records.map(([campaign, replies, expected]) => [campaign, { replies, expected }])),
      },
    ]),
  );
  return (channel, campaignId) => {
    const { variance = 0, records } = known.get(channel) ?? {};
    if (variance === 0) return undefined;
    const { replies, expected } = records?.get(campaignKeyOf(campaignId)) ?? { replies: 0, expected: 0 };
    return { replies, expected, variance };
  };
}
