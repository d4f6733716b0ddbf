import { CHANNELS, POSITIONS, type Channel, type ChannelCampaigns } from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import type { CampaignRecord, RatePosterior } from '@outcomes/statistics';
import type { ChannelFindings } from '../changes/analyse-channel';
import { rounded } from '../documents/rounding';
import type { ArmSums } from './arm-counts';

/** What each campaign of late was answered, beside what the channel's arms expect of its messages. */
export function channelCampaigns(
  { channel, look, campaignSums }: ChannelFindings,
  arms: readonly { readonly arm: ArmSums; readonly posterior: Pick<RatePosterior, 'mean'> }[],
): ChannelCampaigns {
  const variance = look?.campaignVariance ?? 0;
  const means = POSITIONS.map(
    (position) => arms.find(({ arm }) => arm.position === position)?.posterior.mean ?? 0,
  );
  const records = campaignSums.map(({ campaign, replies, messages }) => {
    const expected = messages.reduce((sum, n, position) => sum + n * (means[position] ?? 0), 0);
    return [campaign, replies, rounded(expected)] as const;
  });
  return {
    channel: CHANNELS[channel] as Channel,
    variance: rounded(variance),
    records: variance > 0 ? records : [],
  };
}

/**
 * Looks campaigns up by their id. One that is new on a channel, or too small, is known as what it is: a campaign of
 * which nothing is known.
 * @returns function of a channel and a campaign_id (null: messages that name none); undefined where campaigns are alike
 */
export function campaignRecords(
  channels: readonly ChannelCampaigns[],
): (channel: Channel, campaignId: string | null) => CampaignRecord | undefined {
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
    const own = known.get(channel);
    if (own === undefined || own.variance === 0) return undefined;
    const { replies, expected } = own.records.get(campaignKeyOf(campaignId)) ?? { replies: 0, expected: 0 };
    return { replies, expected, variance: own.variance };
  };
}
