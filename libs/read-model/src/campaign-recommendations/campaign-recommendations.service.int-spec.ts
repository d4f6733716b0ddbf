import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DOCUMENTS,
  levelIndex,
  LEVELS,
  type CampaignRecommendationsQuery,
  type ChannelVolume,
  type PatternRecord,
  type Recommendation,
} from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { plantRun, plantSnapshot, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';

const NOW = '2026-02-01T08:00:00.000Z';
const DATA_AS_OF = '2026-02-01T00:00:00.000Z';
const LINKEDIN = { ...channelDrift().rate, value: 0.2 };
const drift = driftOf([
  channelDrift(),
  channelDrift({
    channel: 'linkedin',
    rate: LINKEDIN,
    changes: [rateChange({ channel: 'linkedin', since: '2025-11-01', told_at: '2025-12-01' })],
  }),
]);

/** Everything whose level is not named is of another one of its dimension. */
const volume = (
  channel: ChannelVolume['channel'],
  counts: Readonly<Record<string, number>>,
): ChannelVolume => ({
  channel,
  messages: 1_000,
  levels: LEVELS.map((level) => counts[level] ?? 0),
});
const volumes = {
  data_as_of: DATA_AS_OF,
  channels: [
    volume('email', {
      ...{ 'tone:direct': 200, 'tone:professional': 800, 'weekday:monday': 900, 'weekday:friday': 100 },
      ...{ 'subject_question:with': 100, 'subject_question:without': 900, 'channel:email': 1_000 },
    }),
    volume('linkedin', { 'tone:direct': 1_000, 'weekday:friday': 1_000, 'channel:linkedin': 1_000 }),
  ],
};

const claim = (code: string, ratio: number, fields: Partial<PatternRecord> = {}): PatternRecord => ({
  ...{
    companyId: 'c',
    code,
    title: `About <b>${code}</b>`,
    message: `Words on ${code}.`,
    updated: DATA_AS_OF,
  },
  ...{ type: 'recommendation', positive: ratio > 1, tier: 3, evidence_tier: 'confirmed' },
  evidence: {
    ...{ e_value: 500, odds_ratio: ratio, odds_ratio_low: ratio / 1.2, odds_ratio_high: ratio * 1.2 },
    ...{ odds_ratio_expected: ratio ** 0.9, probability_positive: ratio > 1 ? 0.999 : 0.001 },
    ...{ lift: ratio - 1, lift_low: ratio / 1.2 - 1, lift_high: ratio * 1.2 - 1 },
    ...{
      n_campaigns: 14,
      n_campaigns_with: 16,
      n_campaigns_without: 15,
      n_texts_with: 62,
      n_texts_without: 91,
    },
    ...{ compared_share: 0.9, counted_since: '2025-06-02', sends_to_decide: 0, trial_sends: null },
    ...{ confounding_e_value: 2.1, confounding_e_value_limit: 1.4, basis: 'observational' },
    with_rate: { value: 0.06, ci_low: 0.05, ci_high: 0.07, n: 900 },
    without_rate: { value: 0.05, ci_low: 0.04, ci_high: 0.06, n: 2_100 },
  },
  ...fields,
});
const patterns = [
  claim('SF-1', 1.3),
  claim('TA-1', 1.5, { tier: 2, evidence_tier: 'likely' }),
  claim('DOW-1', 0.5, { tier: 1, evidence_tier: 'directional' }),
  claim('CH-2', 2),
  { companyId: 'c', code: 'SS-1', type: 'undecided', tier: 0, reason: 'survivors' },
  { companyId: 'c', code: 'RD-1', type: 'undecided', tier: 0, reason: 'undecided' },
];

describe('recommendations', () => {
  const company = mintTenantScope(randomUUID());
  const upgraded = mintTenantScope(randomUUID());
  const neighbour = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner } = database;
    for (const { companyId } of [company, upgraded]) {
      await plantRun(owner, companyId, 'succeeded', DATA_AS_OF);
      await plantSnapshot(owner, companyId, DOCUMENTS.frame, { ...drift, analysed_at: DATA_AS_OF });
    }
    await plantSnapshot(owner, company.companyId, DOCUMENTS.patterns, patterns);
    await plantSnapshot(owner, company.companyId, DOCUMENTS.volumes, volumes);
    const { odds_ratio_expected: _younger, ...ofEarlier } = claim('TA-1', 1.5).evidence ?? {};
    await plantSnapshot(owner, upgraded.companyId, DOCUMENTS.patterns, [
      { ...claim('TA-1', 1.5), evidence: ofEarlier },
    ]);
    const touch = {
      companyId: company.companyId,
      campaignId: 'spring-launch',
      sentAt: '2026-01-20T08:00:00Z',
    };
    const [direct, professional] = [levelIndex('tone', 'direct'), levelIndex('tone', 'professional')];
    for (const levels of [[direct], [professional], [professional], [professional]])
      await plantTouch(owner, { ...touch, levels });
    await plantTouch(owner, { ...touch, levels: [direct], sentAt: '2025-12-20T08:00:00Z' });
    await plantTouch(owner, { ...touch, campaignId: 'of-old', sentAt: '2025-01-20T08:00:00Z' });
    await plantTouch(owner, { ...touch, companyId: neighbour.companyId, campaignId: 'spring-launches' });
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const ask = (query: CampaignRecommendationsQuery = {}) =>
    answers.answer('CampaignRecommendations', company, query);
  const gainsOf = (recommendations: readonly Recommendation[]) =>
    recommendations.map(({ code, expected_gain }) => [
      code,
      Math.round(expected_gain?.replies ?? Number.NaN),
    ]);

  it('come in the order of the replies that they are worth, whatever their tier', async () => {
    const { recommendations, volume: counted, summary } = await ask({ limit: 51 });
    // 1,000 more on LinkedIn at twice the odds of 5 %; 800 e-mails; 900 on a Monday; 900 subject lines.
    expect(recommendations.map(({ code }) => code)).toEqual(['CH-2', 'DOW-1', 'TA-1', 'SF-1']);
    const gains = recommendations.map(({ expected_gain }) => expected_gain?.replies ?? Number.NaN);
    expect([...gains].sort((a, b) => b - a)).toEqual(gains);
    for (const { expected_gain, advice, positive } of recommendations) {
      expect(expected_gain).toMatchObject({ days: 30 });
      expect(expected_gain?.replies).toBeGreaterThan(0);
      expect(expected_gain?.ci_low).toBeLessThan(expected_gain?.replies ?? 0);
      expect(expected_gain?.ci_high).toBeGreaterThan(expected_gain?.replies ?? 0);
      expect(positive).toBe(advice === 'do_more');
    }
    expect(counted).toEqual({ days: 30, messages: 2_000, of: 'company' });
    expect(summary).toContain(`about ${gains[0]?.toFixed(0)} more replies in 30 days`);
  });

  it('say of how many messages they speak, and how many have the pattern already', async () => {
    const { recommendations } = await ask({ limit: 51 });
    const of = (code: string) => recommendations.find((one) => one.code === code)?.expected_gain;
    expect(of('SF-1')).toMatchObject({ messages: 1_000, share_with: 0.1 });
    expect(of('TA-1')).toMatchObject({ messages: 2_000, share_with: 0.6 });
  });

  it('tell content, timing and channel apart', async () => {
    const { recommendations, by_kind } = await ask({ limit: 51 });
    expect(recommendations.map(({ kind }) => kind)).toEqual(['channel', 'timing', 'content', 'content']);
    expect(by_kind).toEqual({ content: 2, timing: 1, channel: 1, sequence: 0 });
    const content = await ask({ kind: 'content' });
    expect(content.recommendations.map(({ code }) => code)).toEqual(['TA-1', 'SF-1']);
    expect(content.undecided.map(({ codes }) => codes)).toEqual([['RD-1']]);
    const sequence = await ask({ kind: 'sequence' });
    expect([sequence.recommendation_count, sequence.undecided.map(({ reason }) => reason)]).toEqual([
      0,
      ['survivors'],
    ]);
  });

  it('for one channel are what it has a use for, at its own volume and level of replies', async () => {
    const email = await ask({ channel: 'email', limit: 51 });
    expect(email.recommendations.map(({ code }) => code)).toEqual(['DOW-1', 'TA-1', 'SF-1']);
    expect(email.volume).toEqual({ days: 30, messages: 1_000, of: 'channel' });
    const direct = email.recommendations.find(({ code }) => code === 'TA-1');
    expect(direct?.channel).toBe('email');
    const { with_rate, without_rate, lift, level_since } = direct?.effect as Recommendation['effect'];
    const [w, wo] = [with_rate.value ?? 0, without_rate.value ?? 0];
    expect(0.2 * w + 0.8 * wo).toBeCloseTo(0.05, 6);
    expect(w / (1 - w) / (wo / (1 - wo))).toBeCloseTo(1.5, 3);
    expect(lift).toBeCloseTo(w / wo - 1, 4);
    expect(level_since).toBeNull();
    // All messages on LinkedIn are direct already and none has a subject line.
    const linkedin = await ask({ channel: 'linkedin', limit: 51 });
    expect(gainsOf(linkedin.recommendations)).toEqual([
      ['TA-1', 0],
      ['DOW-1', 0],
    ]);
    expect(linkedin.recommendations[0]?.effect.level_since).toBe('2025-11-01');
  });

  it('for one campaign are at the volume of its last 30 days, with the effects of the company', async () => {
    const {
      recommendations,
      volume: counted,
      alerts,
      similar_campaign_ids,
    } = await ask({
      campaign_id: 'spring-launch',
      limit: 51,
    });
    expect(counted).toEqual({ days: 30, messages: 4, of: 'campaign' });
    const direct = recommendations.find(({ code }) => code === 'TA-1');
    expect(direct?.expected_gain).toMatchObject({ messages: 4, share_with: 0.25 });
    expect(recommendations[0]?.code).toBe('TA-1');
    expect(alerts).toContain('recommendations_are_company_scoped_not_per_campaign');
    expect([alerts.includes('campaign_not_found'), similar_campaign_ids]).toEqual([false, []]);
    const idle = await ask({ campaign_id: 'of-old' });
    expect(idle.volume).toEqual({ days: 30, messages: 0, of: 'campaign' });
    expect(gainsOf(idle.recommendations).every(([, gain]) => gain === 0)).toBe(true);
  });

  it('for a campaign that does not exist say which may be meant, of this company alone', async () => {
    const answer = await ask({ campaign_id: 'spring-lanuch' });
    expect(answer.alerts).toContain('campaign_not_found');
    expect(answer.similar_campaign_ids).toEqual(['spring-launch', 'of-old']);
    expect([answer.scope, answer.requested_campaign_id]).toEqual(['company', 'spring-lanuch']);
    expect((await ask({ campaign_id: 'of old' })).similar_campaign_ids[0]).toBe('of-old');
    expect((await ask()).requested_campaign_id).toBeNull();
    expect(answer.volume.of).toBe('company');
  });

  it('say nothing of gains while the records are those of an earlier version', async () => {
    const { recommendations, summary } = await answers.answer('CampaignRecommendations', upgraded, {});
    expect(recommendations).toMatchObject([{ code: 'TA-1', expected_gain: null, evidence: null }]);
    expect(summary).not.toContain('NaN');
  });

  describe('of a company with records of its own making', () => {
    const askOf = async (
      records: readonly PatternRecord[],
      query: CampaignRecommendationsQuery = {},
      more: object = {},
    ) => {
      const { companyId, ...tenant } = mintTenantScope(randomUUID());
      await plantRun(database.owner, companyId, 'succeeded', DATA_AS_OF);
      await plantSnapshot(database.owner, companyId, DOCUMENTS.frame, { ...drift, analysed_at: DATA_AS_OF });
      await plantSnapshot(database.owner, companyId, DOCUMENTS.patterns, records);
      for (const [document, body] of Object.entries(more))
        await plantSnapshot(database.owner, companyId, document, body);
      return answers.answer('CampaignRecommendations', { companyId, ...tenant }, query);
    };
    const codesOf = ({ recommendations }: Awaited<ReturnType<typeof askOf>>) =>
      recommendations.map(({ code }) => code);
    const sized = (code: string, n: number) =>
      claim(code, 1.3, {
        evidence: {
          ...claim(code, 1.3).evidence,
          with_rate: { value: 0.06, ci_low: 0.05, ci_high: 0.07, n },
        } as never,
      });

    it('are alerted to by the smallest sample that is listed', async () => {
      const of = async (...sizes: number[]) =>
        (
          await askOf(
            sizes.map((n, i) => sized(`TA-${i + 1}`, n)),
            { limit: 2 },
          )
        ).alerts;
      expect(await of(900, 30)).toEqual([]);
      expect(await of(900, 29)).toEqual(['small_sample']);
      expect(await of(9, 900)).toEqual(['very_small_sample']);
      expect(await of(900, 900, 9)).toEqual(['results_truncated']);
      expect(await of()).toEqual(['no_recommendations_available']);
    });

    it('are counted by tier, and say how far each may be trusted', async () => {
      const { summary, by_evidence_tier } = await askOf([
        claim('TA-1', 1.3),
        claim('TA-2', 1.3, { evidence_tier: 'likely' }),
        claim('TA-3', 1.3, { evidence_tier: 'likely' }),
      ]);
      expect(by_evidence_tier).toEqual({ confirmed: 1, likely: 2, directional: 0 });
      expect(summary).toMatch(
        /^3 recommendations: 1 confirmed, 2 likely, 0 directional\. Up to half of the directional/,
      );
    });

    it.each([
      ['confirmed', ['TA-1']],
      ['likely', ['TA-1', 'TA-2']],
      ['directional', ['TA-1', 'TA-2', 'TA-3']],
      [undefined, ['TA-1', 'TA-2', 'TA-3']],
    ] as const)('are those of a tier at least: %s', async (tier, codes) => {
      const records = (['confirmed', 'likely', 'directional'] as const).map((evidence_tier, i) =>
        claim(`TA-${i + 1}`, 1.3, { evidence_tier, tier: 3 - i }),
      );
      expect(codesOf(await askOf(records, tier === undefined ? {} : { min_evidence_tier: tier }))).toEqual(
        codes,
      );
    });

    it.each([
      ['do_more', ['TA-1']],
      ['avoid', ['TA-2']],
      ['all', ['TA-1', 'TA-2']],
    ] as const)('are those of a direction: %s', async (direction, codes) => {
      expect(codesOf(await askOf([claim('TA-1', 1.3), claim('TA-2', 0.7)], { direction })).sort()).toEqual(
        codes,
      );
    });

    it('come by tier and then by evidence where no gain is known', async () => {
      const strong = { ...claim('TA-3', 1.3).evidence, e_value: 900 } as PatternRecord['evidence'];
      const records = [
        claim('TA-1', 1.3, { tier: 1 }),
        claim('TA-2', 1.3),
        claim('TA-3', 1.3, { evidence: strong }),
      ];
      expect(codesOf(await askOf(records))).toEqual(['TA-3', 'TA-2', 'TA-1']);
    });

    it('say what is known where a record says little', async () => {
      const [told] = (await askOf([{ companyId: 'c', code: 'XX-9', evidence_tier: 'likely' }]))
        .recommendations;
      const unknown = { value: null, ci_low: null, ci_high: null, n: 0 };
      expect(told).toEqual({
        ...{
          code: 'XX-9',
          title: 'XX-9',
          message: '',
          category: [],
          kind: 'content',
          advice: 'avoid',
          positive: false,
        },
        ...{ tier: 0, evidence_tier: 'likely', channel: null, expected_gain: null, evidence: null },
        effect: {
          ...{ with_rate: unknown, without_rate: unknown, level_since: null, probability_positive: null },
          ...{ lift: null, lift_low: null, lift_high: null },
        },
        ...{ sample_size: 0, data_source: 'company', updated: DATA_AS_OF },
      });
    });

    it('tell a gain with no more digits than are known', async () => {
      const gain = async (messages: number) => {
        const channels = [volume('email', { 'tone:professional': messages })].map((one) => ({
          ...one,
          messages,
        }));
        return (await askOf([claim('TA-1', 2)], {}, { volumes: { data_as_of: DATA_AS_OF, channels } }))
          .summary;
      };
      // At 5 % and 2 ** 0.9 times the odds, 0.0395 replies a message.
      expect(await gain(10)).toContain('about 0.4 more replies in 30 days');
      expect(await gain(10)).toContain('at 10 messages.');
      expect(await gain(250)).toContain('about 9.9 more replies');
      expect(await gain(253)).toContain('about 10 more replies');
    });

    it('stay within 8 KB, whatever stands beside them, unless a limit asks for more', async () => {
      const records = Array.from({ length: 40 }, (_, i) =>
        claim(`TA-${i + 1}`, 1.3, { message: 'x'.repeat(400) }),
      );
      const codes = Array.from({ length: 200 }, (_, i) => `MA-${1_000 + i}`);
      const undecided = codes.map((code) => ({
        companyId: 'c',
        code,
        tier: 0,
        reason: 'few_texts' as const,
      }));
      for (const beside of [[], undecided]) {
        const answer = await askOf([...records, ...beside]);
        expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8_192);
        expect([answer.recommendation_count, answer.alerts.includes('results_truncated')]).toEqual([
          40,
          true,
        ]);
        expect(answer.recommendations.length).toBeGreaterThan(0);
      }
      expect((await askOf(records, { limit: 40 })).recommendations).toHaveLength(40);
    });

    it('list three claims about variants, or as many as asked for', async () => {
      const variants = Array.from({ length: 5 }, (_, i) => ({
        ...{
          campaign_id: 'c',
          variant_id: `v${i}`,
          n: 100,
          y: 5,
          rate: 0.05,
          odds_ratio: 1,
          odds_ratio_low: 0.5,
        },
        ...{
          odds_ratio_high: 2,
          probability_positive: 0.5,
          e_value: 100 - i,
          evidence_tier: 'likely',
          basis: 'randomized',
        },
      }));
      const more = { variants: { data_as_of: DATA_AS_OF, variants } };
      const listed = async (query: CampaignRecommendationsQuery) =>
        (await askOf([], query, more)).variants.map(({ variant_id }) => variant_id);
      expect(await listed({})).toEqual(['v0', 'v1', 'v2']);
      expect(await listed({ limit: 4 })).toEqual(['v0', 'v1', 'v2', 'v3']);
    });
  });
});
