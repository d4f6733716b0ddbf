import {
  type ArmRecord,
  type BanditDocument,
  type ChannelDrift,
  CHANNELS,
  DAY_MS,
  type DriftDocument,
  POSITIONS,
  type RateChange,
} from '@outcomes/contracts';

export const RATE = { value: 0.08, ci_low: 0.05, ci_high: 0.12, n: 400 };

/** More arms than are returned, so that the default page is as large as it gets. */
export function bandit(dataAsOf: string): BanditDocument {
  const arms = CHANNELS.flatMap((channel) =>
    POSITIONS.map((position, index): ArmRecord => {
      const alpha = 8.123456789 + index;
      const beta = 191.987654321 - index;
      const mean = alpha / (alpha + beta);
      return {
        channel,
        position,
        alpha,
        beta,
        interval_target: 'next_30_days_mean_rate',
        posterior_mean: mean,
        posterior_variance: (mean * (1 - mean)) / (alpha + beta + 1),
        ci_low: mean * 0.512345678,
        ci_high: mean * 1.612345678,
        interval_type: 'equal_tailed_95',
        current_low: mean * 0.612345678,
        current_high: mean * 1.512345678,
        data_from: dataAsOf.slice(0, 10),
        memory_days: 61.1234567891,
        forward_sd: 0.2123456789,
        data_source: index % 3 === 0 ? 'migration' : 'live',
        observations: 1234,
        replies: 56,
        effective_n: 812.2345678,
        own_data_share: 0.8123456789,
        prior_weight: 0.1876543211,
        market_mean: 0.0431234,
        immature_share: 0.1123456789,
        probability_best: 1 / 22,
        last_outcome_at: dataAsOf,
      };
    }),
  );
  return { data_as_of: dataAsOf, engine_version: 'test', prior: { mean: 0.034, concentration: 30 }, arms };
}

const day = (dataAsOf: string, daysBefore: number) =>
  new Date(Date.parse(dataAsOf) - daysBefore * DAY_MS).toISOString().slice(0, 10);

/** Replies by LinkedIn fell five weeks before the run, which was told a week ago. */
export function drift(dataAsOf: string): DriftDocument {
  const fell = (parts: Partial<RateChange> = {}): RateChange => ({
    channel: 'linkedin',
    since: day(dataAsOf, 35),
    settled_on: day(dataAsOf, 28),
    told_at: day(dataAsOf, 7),
    direction: 'down',
    ratio: 0.612345678,
    before: RATE,
    after: RATE,
    statistic: 8.123456789,
    scope: { kind: 'channel', value: null },
    ...parts,
  });
  const channel = (parts: Partial<ChannelDrift>): ChannelDrift => ({
    channel: 'email',
    look_possible: true,
    looked_through: day(dataAsOf, 14),
    statistic: 3.212345678,
    threshold: 5.75,
    data_from: day(dataAsOf, 200),
    settled_replies: 156,
    rate: RATE,
    last_sent_on: day(dataAsOf, 1),
    newest_outcome_at: dataAsOf,
    changes: [],
    recounted_at: null,
    mix: { distance: 0.0812345678, alert: false },
    volume: { ratio: 1.2123456789, alert: false },
    campaigns: 6,
    ...parts,
  });
  return {
    data_as_of: dataAsOf,
    engine_version: 'test',
    newest_outcome_at: dataAsOf,
    channels: [channel({}), channel({ channel: 'linkedin', changes: [fell()] })],
  };
}

/** A ledger longer than is served, of one campaign. */
export function longLedger(dataAsOf: string, campaignId: string): DriftDocument {
  const { channels, ...head } = drift(dataAsOf);
  const changes = channels.flatMap((channel) => channel.changes);
  const scope = { kind: 'campaign', value: campaignId } as const;
  return {
    ...head,
    channels: channels.map((channel) => ({
      ...channel,
      changes: Array.from({ length: 12 }, () => changes.map((change) => ({ ...change, scope }))).flat(),
    })),
  };
}
