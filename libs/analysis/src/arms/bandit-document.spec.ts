import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import { betaInterval, fitRates, memoryDays, widen, type ArmCounts } from '@outcomes/statistics';
import type { ChannelFindings } from '../changes/analyse-channel';
import { isoDay } from '../cohorts/days';
import { MARKET_PRIOR } from '../priors/platform-prior.service';
import { armCountsOf, banditDocument } from './bandit-document';

const ON = { dataAsOf: new Date('2026-02-01T00:00:00Z'), observedUntil: 20_485 };

const findings = (channel: Channel, arms: Partial<Record<Position, ArmCounts>>, variance: number) =>
  ({
    channel: CHANNELS.indexOf(channel),
    arms: POSITIONS.map((position) => arms[position]),
    dataFrom: 20_000,
    weights: { halfLives: [0, 0, 0, 0, 0, 0, 1] },
    variances: { target: variance, current: variance / 4 },
    look: null,
    campaignSums: [],
  }) as unknown as ChannelFindings;

const documentOf = (channels: readonly ChannelFindings[]) => {
  const sums = channels.flatMap(({ channel, arms }) =>
    arms.flatMap((counts: ArmCounts | undefined, place) =>
      counts === undefined
        ? []
        : [
            {
              ...{ channel: CHANNELS[channel] as Channel, position: POSITIONS[place] as Position },
              ...{ observations: counts.n, replies: counts.y, streamed: 0, immature: 0, lastOutcomeAt: NaN },
            },
          ],
    ),
  );
  return banditDocument(sums, channels, ON);
};

describe('the document of the arms', () => {
  it('keeps what is known of each arm to the last digit, beside what is served of the days to come', () => {
    const counts = { vp: { n: 8e6, y: 480_000 }, manager: { n: 20e6, y: 6e6 } };
    const { arms, known } = documentOf([findings('email', counts, 0.3)]);
    const exact = fitRates([counts.vp, counts.manager]).arms;
    expect(known?.map(({ position }) => position)).toEqual(arms.map(({ position }) => position));
    for (const [place, arm] of arms.entries()) {
      const shape = known?.[place] ?? { alpha: NaN, beta: NaN };
      expect(exact).toContainEqual(expect.objectContaining({ alpha: shape.alpha, beta: shape.beta }));
      expect(widen(shape, 0.3)).toEqual({ alpha: arm.alpha, beta: arm.beta });
    }
  });

  it('starts an arm that was never used from those of its own channel, widened by what may come', () => {
    const near = (rates: readonly number[]) =>
      Object.fromEntries(
        rates.map((rate, place) => [POSITIONS[place] as Position, { n: 1_000, y: 1_000 * rate }]),
      );
    const email = near([0.03, 0.028, 0.033, 0.03, 0.031, 0.027, 0.029, 0.032]);
    const linkedin = near([0.2, 0.195]);
    const { unused, prior } = documentOf([findings('email', email, 0), findings('linkedin', linkedin, 0)]);
    const rates = (unused?.channels ?? []).map(({ channel, alpha, beta }) => {
      const { low, high } = betaInterval(alpha, beta, 0.95);
      return { channel, mean: alpha / (alpha + beta), low, high };
    });
    expect(rates.map(({ channel }) => channel)).toEqual(['email', 'linkedin']);
    const [byEmail, onLinkedin] = rates;
    expect(byEmail?.mean).toBeCloseTo(0.03, 2);
    expect(byEmail?.high).toBeLessThan(0.06);
    expect(Math.abs((onLinkedin?.mean ?? 0) - 0.2)).toBeLessThan(0.01);
    // Two arms tell what LinkedIn is like, and less of how far a third may lie from them.
    expect(onLinkedin?.low).toBeGreaterThan(0.06);
    expect(onLinkedin?.high).toBeLessThan(0.4);
    // Over the company: no channel is named, and mean and spread are unknown.
    const { alpha, beta } = unused?.company ?? { alpha: NaN, beta: NaN };
    expect(alpha / (alpha + beta)).toBeGreaterThan(0.05);
    expect(alpha + beta).toBeLessThan(prior.concentration);
    const moving = documentOf([findings('email', email, 0.3), findings('linkedin', linkedin, 0.5)]).unused;
    expect(moving?.channels[0]).toEqual({
      channel: 'email',
      ...widen(unused?.channels[0] ?? { alpha: NaN, beta: NaN }, 0.3),
    });
    expect(moving?.company).toEqual(widen({ alpha, beta }, 0.5));
  });

  it('says of each channel what it says where there is no other', () => {
    const campaignSums = [{ campaign: 7, replies: 9, messages: Float64Array.from(POSITIONS, () => 40) }];
    const look = { campaignVariance: 0.2 } as ChannelFindings['look'];
    const withCampaign = (own: ChannelFindings): ChannelFindings => ({ ...own, campaignSums, look });
    const email = withCampaign(findings('email', { vp: { n: 400, y: 20 }, manager: { n: 300, y: 9 } }, 0.1));
    const linkedin = withCampaign(findings('linkedin', { vp: { n: 200, y: 50 } }, 0.2));
    const unused = withCampaign(findings('linkedin', {}, 0.9));
    const { campaigns, unused: unseen } = documentOf([email, linkedin]);
    expect(campaigns).toHaveLength(2);
    expect(campaigns).toEqual([email, linkedin].flatMap((own) => documentOf([own]).campaigns));
    expect(campaigns?.[0]).not.toEqual(campaigns?.[1]);
    expect(unseen?.channels).toEqual(
      [email, linkedin].flatMap((own) => documentOf([own]).unused?.channels ?? []),
    );
    // A channel without arms lends the company nothing of how much it moves.
    expect(documentOf([email, unused]).unused).toEqual(documentOf([email]).unused);
    expect(armCountsOf([], [email])).toEqual([]);
  });

  it('says beside what was borrowed what the market alone would have said', () => {
    const counts = { vp: { n: 40, y: 2 }, manager: { n: 30, y: 1 } };
    const channels = [findings('email', counts, 0.1)];
    const sums = (['vp', 'manager'] as const).map((position) => ({
      ...{ channel: 'email' as const, position, observations: 40, replies: 2, streamed: 0, immature: 0 },
      lastOutcomeAt: NaN,
    }));
    const hyperprior = { ...MARKET_PRIOR.hyperprior, logitMean: -1 };
    const market = banditDocument(sums, channels, ON);
    const borrowed = banditDocument(sums, channels, ON, { hyperprior, source: 'platform' });
    expect([market.prior.source, borrowed.prior.source]).toEqual(['market', 'platform']);
    expect(borrowed.prior.expected_rate).toBeCloseTo(1 / (1 + Math.E), 5);
    expect(borrowed.prior.mean).toBeGreaterThan(market.prior.mean);
    for (const [place, arm] of borrowed.arms.entries()) {
      expect(arm.market_mean).toBe(market.arms[place]?.market_mean);
      expect(arm.posterior_mean).toBeGreaterThan(1.2 * arm.market_mean);
      expect(market.arms[place]?.market_mean).toBeCloseTo(market.arms[place]?.posterior_mean ?? NaN, 5);
    }
    expect(armCountsOf(sums, channels)).toEqual([counts.vp, counts.manager]);
  });

  it('has no arm of a position or a channel that nothing was counted of', () => {
    const arm = (channel: Channel, position: Position) => ({
      ...{ channel, position, observations: 40, replies: 2, streamed: 0, immature: 0, lastOutcomeAt: NaN },
    });
    const { arms, known } = banditDocument(
      [arm('email', 'manager'), arm('email', 'vp'), arm('linkedin', 'vp')],
      [findings('email', { vp: { n: 40, y: 2 } }, 0.1)],
      ON,
    );
    expect(arms.map(({ channel, position }) => [channel, position])).toEqual([['email', 'vp']]);
    expect(known).toHaveLength(1);
  });

  it('tells of an arm where its messages came from, how old they are and when it was answered last', () => {
    const told = (parts: { streamed?: number; immature?: number; lastOutcomeAt?: number }) => {
      const sums = { observations: 40, replies: 2, streamed: 0, immature: 0, lastOutcomeAt: NaN, ...parts };
      const { arms } = banditDocument(
        [{ channel: 'email', position: 'vp', ...sums }],
        [findings('email', { vp: { n: 40, y: 2 } }, 0.09)],
        ON,
      );
      return arms[0];
    };
    expect(told({})).toMatchObject({
      ...{ interval_target: 'next_30_days_mean_rate', interval_type: 'equal_tailed_95' },
      ...{ data_source: 'migration', observations: 40, replies: 2, effective_n: 40, forward_sd: 0.3 },
      ...{ immature_share: 0, last_outcome_at: null, probability_best: 1, data_from: isoDay(20_000) },
    });
    expect(told({ streamed: 1, immature: 10, lastOutcomeAt: 86_400_000 })).toMatchObject({
      ...{ data_source: 'live', immature_share: 0.25, last_outcome_at: '1970-01-02T00:00:00.000Z' },
    });
    const {
      own_data_share = NaN,
      prior_weight,
      posterior_mean,
      posterior_variance,
      alpha = NaN,
      beta = NaN,
    } = told({}) ?? {};
    expect(told({})?.memory_days).toBeCloseTo(memoryDays([0, 0, 0, 0, 0, 0, 1], 20_000, 20_485), 2);
    expect(prior_weight).toBeCloseTo(1 - own_data_share, 5);
    expect(posterior_mean).toBe(alpha / (alpha + beta));
    // Of a Beta distribution.
    expect(posterior_variance).toBeCloseTo((alpha * beta) / ((alpha + beta) ** 2 * (alpha + beta + 1)), 12);
  });

  it('knows of no channel without arms', () => {
    const { arms, unused } = documentOf([findings('linkedin', {}, 0.1)]);
    expect([arms, unused?.channels]).toEqual([[], []]);
  });
});
