import type { ChannelDrift, ChannelLateReplies, DriftDocument, RateChange } from '@outcomes/contracts';

export const rateChange = (parts: Partial<RateChange> = {}): RateChange => ({
  channel: 'email',
  since: '2026-01-05',
  settled_on: '2026-01-14',
  told_at: '2026-01-28',
  direction: 'down',
  ratio: 0.47,
  before: { value: 0.05, ci_low: 0.045, ci_high: 0.056, n: 6_000 },
  after: { value: 0.024, ci_low: 0.018, ci_high: 0.031, n: 1_900 },
  statistic: 8.4,
  scope: { kind: 'channel', value: null },
  ...parts,
});

/** A channel about which all is well. */
export const channelDrift = (parts: Partial<ChannelDrift> = {}): ChannelDrift => ({
  channel: 'email',
  look_possible: true,
  looked_through: '2026-01-17',
  statistic: 2.1,
  threshold: 5.75,
  data_from: '2025-09-01',
  settled_replies: 310,
  // What was answered since is what the change is said to have led to.
  rate: parts.changes?.at(-1)?.after ?? { value: 0.05, ci_low: 0.045, ci_high: 0.056, n: 6_200 },
  last_sent_on: '2026-01-31',
  newest_outcome_at: '2026-01-31T20:00:00.000Z',
  changes: [],
  recounted_at: null,
  mix: { distance: 0.04, alert: false },
  volume: { ratio: 1.1, alert: false },
  campaigns: 4,
  ...parts,
});

/** Of a channel on which three of five replies come after messages have settled. */
export const lateReplies = (parts: Partial<ChannelLateReplies> = {}): ChannelLateReplies => ({
  settle_days: 14,
  share: 0.6,
  complete_through: '2025-11-20',
  arrived: [0.4, 0.5, 0.8],
  ...parts,
});

export const driftOf = (
  channels: readonly ChannelDrift[],
  newestOutcomeAt: string | null = '2026-01-31T20:00:00.000Z',
): DriftDocument => ({
  data_as_of: '2026-02-01T00:00:00.000Z',
  engine_version: 'test',
  newest_outcome_at: newestOutcomeAt,
  channels,
});

/** Every case of trust as a run may leave it, read on 2026-02-01. */
export const TRUST_CASES = {
  'before the first run': undefined,
  'nothing for over 30 days': driftOf(
    [channelDrift({ newest_outcome_at: '2026-01-01T20:00:00.000Z' })],
    '2026-01-01T20:00:00.000Z',
  ),
  'no outcome at all': driftOf([channelDrift({ newest_outcome_at: null })], null),
  'too little settled to look': driftOf([channelDrift({ look_possible: false, settled_replies: 8 })]),
  'a look, and too few replies': driftOf([channelDrift({ settled_replies: 19 })]),
  'a change, and few replies since': driftOf([channelDrift({ settled_replies: 8, changes: [rateChange()] })]),
  'a change told of late': driftOf([channelDrift({ changes: [rateChange()] })]),
  'a change of long ago': driftOf([
    channelDrift({ changes: [rateChange({ since: '2025-09-01', told_at: '2025-10-10' })] }),
  ]),
  'nothing ever changed': driftOf([channelDrift()]),
  'another audience, another volume': driftOf([
    channelDrift({ mix: { distance: 0.4, alert: true }, volume: { ratio: 2.5, alert: true } }),
  ]),
  'one channel of two relearning': driftOf([
    channelDrift(),
    channelDrift({
      channel: 'linkedin',
      settled_replies: 19,
      changes: [rateChange({ channel: 'linkedin', direction: 'up', ratio: 2 })],
    }),
  ]),
} as const satisfies Readonly<Record<string, DriftDocument | undefined>>;
export type TrustCaseName = keyof typeof TRUST_CASES;
