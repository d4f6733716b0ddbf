import { POSITIONS } from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import type { ChangeLook } from '@outcomes/statistics';
import { campaignSums } from '../changes/campaign-sums';
import { ChannelColumns } from '../changes/channel-columns';
import { campaignRecords, channelCampaigns } from './channel-campaigns';

const [VP, MANAGER] = [POSITIONS.indexOf('vp'), POSITIONS.indexOf('manager')];
const EMAIL = 0;

const columnsOf = (
  rows: readonly (readonly [day: number, id: string | null, position: number, n: number, y: number])[],
) => {
  const columns = new ChannelColumns();
  for (const [day, id, position, touches, replies] of rows)
    columns.push(day, { campaign: campaignKeyOf(id), step: 0, position, touches, replies });
  return columns.finish();
};

const armsOf = (means: Readonly<Record<string, number>>) =>
  Object.entries(means).map(([position, mean]) => ({ arm: { position } as never, posterior: { mean } }));

const found = (days: ReturnType<typeof columnsOf>, variance: number, from = 0) =>
  ({
    channel: EMAIL,
    look: { campaignVariance: variance } as ChangeLook,
    campaignSums: campaignSums(days, { from, to: 100 }, (day) => (day > 90 ? 0.5 : 1)),
  }) as never;

describe('what is known of the campaigns of a channel', () => {
  const days = columnsOf([
    [30, 'spring', VP, 100, 90],
    [60, 'spring', VP, 200, 30],
    [95, 'spring', MANAGER, 100, 2],
    [96, 'autumn', VP, 40, 0],
    [97, null, VP, 10, 1],
  ]);
  const arms = armsOf({ vp: 0.1, manager: 0.04 });

  it('is what its messages of 60 days were answered, beside what the arms expect of as many as can have been', () => {
    const { records, variance } = channelCampaigns(found(days, 0.25), arms);
    expect(variance).toBe(0.25);
    expect(records).toEqual([
      // 200 x .1, and half of 100 x .04
      [campaignKeyOf('spring'), 32, 22],
      [campaignKeyOf('autumn'), 0, 2],
      [0, 1, 0.5],
    ]);
  });

  it('is nothing from before the last change of the channel', () => {
    const { records } = channelCampaigns(found(days, 0.25, 90), arms);
    expect(records[0]).toEqual([campaignKeyOf('spring'), 2, 2]);
  });

  it('is looked up by campaign_id; of a new campaign nothing is known but how much campaigns differ', () => {
    const recordOf = campaignRecords([channelCampaigns(found(days, 0.25), arms)]);
    expect(recordOf('email', 'spring')).toEqual({ replies: 32, expected: 22, variance: 0.25 });
    expect(recordOf('email', null)).toEqual({ replies: 1, expected: 0.5, variance: 0.25 });
    expect(recordOf('email', 'winter')).toEqual({ replies: 0, expected: 0, variance: 0.25 });
    expect(recordOf('linkedin', 'spring')).toBeUndefined();
  });

  it('is nothing where campaigns are alike', () => {
    const alike = channelCampaigns(found(days, 0), arms);
    expect(alike).toMatchObject({ variance: 0, records: [] });
    expect(campaignRecords([alike])('email', 'spring')).toBeUndefined();
  });

  it('is bounded: the 200 campaigns with the most messages', () => {
    const many = columnsOf(
      Array.from({ length: 260 }, (_, i) => [99, `campaign ${i}`, VP, 1 + i, 0] as const),
    );
    const { records } = channelCampaigns(found(many, 0.25), arms);
    expect(records).toHaveLength(200);
    expect(records[0]?.[0]).toBe(campaignKeyOf('campaign 259'));
  });
});
