import { CHANNELS, POSITIONS, type Channel, type ChannelCampaigns } from '@outcomes/contracts';
import type { RatePosterior } from '@outcomes/statistics';
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
