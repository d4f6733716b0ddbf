import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import {
  CHANNELS,
  OUTCOMES,
  type CampaignHealthQuery,
  type Channel,
  type Outcome,
} from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { plantCohort, plantRun, plantSnapshot } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';

const NOW = '2026-02-01T08:00:00.000Z';
// Of e-mails those until the 17th of January have settled; the window begins with the 2nd.
const [OLD, SETTLED, YOUNG] = ['2025-12-01', '2026-01-10', '2026-01-25'];
const ARMS = [
  { channel: 'email', position: 'vp', posterior_mean: 0.1 },
  { channel: 'linkedin', position: 'vp', posterior_mean: 0.1 },
];

interface Sent {
  readonly campaign?: string;
  readonly day?: string;
  readonly channel?: Channel;
  readonly step?: number;
  readonly outcome?: Outcome;
  readonly removed?: boolean;
}
/** So many messages of a kind, each to somebody else. */
type Batch = readonly [messages: number, sent?: Sent];

describe('the health of one campaign', () => {
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  /** A company, and what it sent. */
  const companyThatSent = async (...batches: readonly Batch[]) => {
    const scope = mintTenantScope(randomUUID());
    const { companyId } = scope;
    await plantRun(database.owner, companyId, 'succeeded', NOW);
    await plantSnapshot(
      database.owner,
      companyId,
      'drift',
      driftOf([channelDrift(), channelDrift({ channel: 'linkedin' })]),
    );
    await plantSnapshot(database.owner, companyId, 'bandit', {
      prior: { mean: 0.1, concentration: 40 },
      arms: ARMS,
    });
    for (const [at, [messages, sent = {}]] of batches.entries()) {
      const { campaign = 'c', day = SETTLED, channel = 'email', step = 0, outcome = 'no_response' } = sent;
      await database.owner.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
           sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, replied_at, unsubscribed_at)
         SELECT $1, gen_random_uuid(), $2, $3, 4, 0.9, $4, true, $5::date, $5::date + interval '8 hours', $5::date + 1, '{}',
           $6 || n, 't', $7, CASE WHEN $8 THEN now() END, CASE WHEN $8 THEN now() END FROM generate_series(1, $9::int) AS n`,
        [
          ...[
            companyId,
            CHANNELS.indexOf(channel),
            step,
            OUTCOMES.indexOf(outcome),
            day,
            `r-${at}-`,
            campaign,
          ],
          ...[sent.removed === true, messages],
        ],
      );
    }
    return scope;
  };
  const replant = async ({ companyId }: TenantScope, document: string, value: unknown) => {
    const where = 'WHERE company_id = $1 AND document = $2';
    await database.owner.query(`DELETE FROM snapshots ${where}`, [companyId, document]);
    await plantSnapshot(database.owner, companyId, document, value);
  };
  /** Among messages of other campaigns that are answered as the arms expect. */
  const ask = async (batches: readonly Batch[], query: CampaignHealthQuery = {}) => {
    const scope = await companyThatSent(...batches);
    const settled = batches.filter(([, { day = SETTLED, channel } = {}]) => day === SETTLED && !channel);
    const sum = (of: readonly Batch[]) => of.reduce((total, [messages]) => total + messages, 0);
    const replies = sum(settled.filter(([, sent]) => sent?.outcome === 'responded'));
    await plantCohort(database.owner, {
      ...{ companyId: scope.companyId, day: SETTLED },
      ...{ touches: 1_000 + sum(settled), replies: 100 + replies },
    });
    return answers.answer('CampaignHealth', scope, { campaign_id: 'c', ...query });
  };

  it('is told in figures of its window, beside what its audience gives the company', async () => {
    const answer = await ask([
      [90],
      [10, { outcome: 'responded' }],
      [20, { day: YOUNG }],
      [7, { day: OLD, outcome: 'responded' }],
      [5, { campaign: 'another' }],
    ]);
    expect(answer).toMatchObject({
      ...{ scope: 'campaign', campaign_id: 'c', campaign_count: 1, campaigns: [], similar_campaign_ids: [] },
      by_status: { insufficient_data: 0, healthy: 1, watch: 0, critical: 0 },
      ...{ status: 'healthy', sample_size: 100, pending: 20, unique_recipients: 120 },
      outcomes: { responded: 10, no_response: 90, bounced: 0, unsubscribed: 0 },
      first_sent_at: '2025-12-01T08:00:00.000Z',
      last_sent_at: '2026-01-25T08:00:00.000Z',
      by_step: [{ sequence_step: 0, channel: 'email', sent: 100, responded: 10 }],
      // Exactly what was to be expected says that this campaign lies close to the arms.
      alerts: ['unresolved_outcomes_excluded', 'borrowed_prior'],
    });
    // Ten came of the ten that the arms expect.
    expect(answer.summary).toMatch(
      /^Status healthy over 100 settled messages, 1 reason\. Reply rate 10\.0 % \(95 % interval .*, n = 100\)\. That is 1\.0\d of what such an audience gives the company\. 20 messages not settled yet\. Of the 30 days to 2026-01-31 reply rates count 16 by email\. The posteriors/,
    );
  });

  it.each([
    [1, '1 message got a reply and an unsubscribe, and counts as unsubscribed.'],
    [2, '2 messages got a reply and an unsubscribe, and count as unsubscribed.'],
  ])('says how many asked to be removed: %d', async (messages, words) => {
    const { summary } = await ask([[98], [messages, { outcome: 'unsubscribed', removed: true }]]);
    expect(summary).toContain(words);
    expect(summary).not.toContain('not settled yet');
  });

  it('names the days of each channel that it used, and those of no other', async () => {
    const both = await ask([[40], [40, { channel: 'linkedin', day: '2026-01-05' }]]);
    expect(both.summary).toContain(
      'Of the 30 days to 2026-01-31 reply rates count 16 by email and 9 on LinkedIn.',
    );
    expect((await ask([[40]], { channel: 'linkedin' })).summary).toMatch(
      /^Status insufficient_data over 0 settled messages, 1 reason\. Reply rate unknown \(no settled outcome\)\. The posteriors/,
    );
    const week = await ask([[40]], { window_days: 7 });
    expect(week.summary).toContain('Of the 7 days to 2026-01-31 reply rates count 0 by email.');
  });

  // How far campaigns usually lie from the arms weighs, when none of them answers, as much as 42 messages at 10 %.
  it.each([
    [0, 'prior', []],
    [9, 'company', ['very_small_sample', 'borrowed_prior']],
    [29, 'company', ['small_sample', 'borrowed_prior']],
    [41, 'company', ['borrowed_prior']],
    [42, 'own', []],
  ])('of %d settled messages rests on: %s', async (messages, source, alerts) => {
    const answer = await ask([[messages], [1, { day: OLD }]]);
    expect(answer.data_source).toBe(source);
    const all = ['borrowed_prior', 'small_sample', 'very_small_sample'];
    expect(answer.alerts.filter((code) => all.includes(code))).toEqual(
      messages === 0 ? ['very_small_sample'] : alerts,
    );
  });

  it('keeps to a channel where one is asked for, also in what it is compared with', async () => {
    const scope = await companyThatSent([60], [50, { channel: 'linkedin', day: '2026-01-05' }]);
    const cohort = { companyId: scope.companyId, day: '2026-01-05', touches: 100, replies: 10 };
    await plantCohort(database.owner, cohort);
    await plantCohort(database.owner, { ...cohort, channel: 'linkedin', touches: 300 });
    const of = (channel?: Channel) =>
      answers.answer('CampaignHealth', scope, { campaign_id: 'c', ...(channel && { channel }) });
    expect(await of('linkedin')).toMatchObject({
      ...{ sample_size: 50, unique_recipients: 50, baseline: { reply_rate: { n: 300 } } },
    });
    expect(await of()).toMatchObject({
      sample_size: 110,
      unique_recipients: 110,
      baseline: { reply_rate: { n: 400 } },
    });
  });

  it('lists the busiest 51 steps in their order, and says that there are more', async () => {
    const steps = (count: number) =>
      Array.from({ length: count }, (_, step): Batch => [
        step === 3 ? 1 : 2,
        { step: step % 51, channel: step < 51 ? 'email' : 'linkedin', day: '2026-01-05' },
      ]);
    const full = await ask(steps(51));
    expect([full.by_step.length, full.alerts.includes('results_truncated')]).toEqual([51, false]);
    const more = await ask(steps(52));
    expect([more.by_step.length, more.alerts.includes('results_truncated')]).toEqual([51, true]);
    const order = more.by_step.map(({ sequence_step }) => sequence_step);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    // The one with fewest messages makes room.
    expect(order).not.toContain(3);
  });

  it('is judged by its one channel where it used one, and by all where it used more', async () => {
    const relearning = { settled_replies: 3, changes: [rateChange({ channel: 'linkedin' })] };
    const trusted = async (...batches: Batch[]) => {
      const scope = await companyThatSent(...batches);
      const frame = driftOf([channelDrift(), channelDrift({ channel: 'linkedin', ...relearning })]);
      await plantSnapshot(database.owner, scope.companyId, 'frame', { ...frame, analysed_at: NOW });
      const of = async (query: CampaignHealthQuery) =>
        (await answers.answer('CampaignHealth', scope, { campaign_id: 'c', ...query }))
          .posteriors_trustworthy;
      return [await of({}), await of({ channel: 'email' }), await of({ channel: 'linkedin' })];
    };
    expect(await trusted([5])).toEqual([true, true, false]);
    expect(await trusted([5, { channel: 'linkedin' }])).toEqual([false, true, false]);
    expect(await trusted([5], [5, { channel: 'linkedin' }])).toEqual([false, true, false]);
  });

  it('stays within 8 KB, however many steps and variants there are', async () => {
    const steps = Array.from({ length: 51 }, (_, step): Batch => [1, { step }]);
    const scope = await companyThatSent(...steps);
    const variants = Array.from({ length: 20 }, (_, i) => ({
      ...{ campaign_id: 'c', variant_id: `${i}`.padEnd(100, 'v'), n: 100, y: 5, rate: 0.05, odds_ratio: 1 },
      ...{ odds_ratio_low: 0.5, odds_ratio_high: 2, probability_positive: 0.5, e_value: 1 },
      ...{ evidence_tier: null, basis: 'observational' },
    }));
    await plantSnapshot(database.owner, scope.companyId, 'variants', { data_as_of: NOW, variants });
    const answer = await answers.answer('CampaignHealth', scope, { campaign_id: 'c' });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8_192);
    expect([answer.by_step.length, answer.alerts.includes('results_truncated')]).toEqual([51, true]);
  });

  it('says that variants are of all channels where one is asked for', async () => {
    const scope = await companyThatSent([20], [20, { channel: 'linkedin' }]);
    const variant = {
      ...{ campaign_id: 'c', variant_id: 'a', n: 40, y: 5, rate: 0.125, odds_ratio: 1.5 },
      ...{ odds_ratio_low: 0.5, odds_ratio_high: 2, probability_positive: 0.5, e_value: 1 },
      ...{ evidence_tier: null, basis: 'observational' },
    };
    await plantSnapshot(database.owner, scope.companyId, 'variants', {
      ...{ data_as_of: NOW, variants: [variant] },
    });
    const summaryOf = async (query: object) =>
      (await answers.answer('CampaignHealth', scope, { campaign_id: 'c', ...query })).summary;
    const words = 'Variants are of all channels and the whole life of the campaign, not of this channel.';
    expect(await summaryOf({ channel: 'email' })).toContain(words);
    expect(await summaryOf({})).not.toContain('Variants');
    await replant(scope, 'variants', { data_as_of: NOW, variants: [] });
    expect(await summaryOf({ channel: 'email' })).not.toContain('Variants');
  });

  it('is not healthy from the day on that a fall of replies was told of', async () => {
    const scope = await companyThatSent([90], [10, { outcome: 'responded' }]);
    // Two days have settled since it: no next look is possible before fourteen have.
    const young = channelDrift({
      ...{ look_possible: false, settled_replies: 3 },
      changes: [rateChange({ since: SETTLED, settled_on: '2026-01-12', told_at: '2026-01-31' })],
    });
    await replant(scope, 'drift', driftOf([young]));
    for (const answer of [
      await answers.answer('CampaignHealth', scope, { campaign_id: 'c' }),
      await answers.answer('CampaignHealth', scope, {}),
    ]) {
      expect(answer.status).toBe('watch');
      expect([...answer.issues, ...answer.campaigns.flatMap(({ issues }) => issues)]).toContainEqual(
        answer.campaign_id === null ? 'replies_fell' : expect.objectContaining({ code: 'replies_fell' }),
      );
    }
  });

  it('is to be paused first where it is critical, whether posteriors may be acted upon or not', async () => {
    const scope = await companyThatSent([60], [40, { outcome: 'bounced' }], [60, { campaign: 'sound' }]);
    const actionOf = async (query: CampaignHealthQuery) =>
      (await answers.answer('CampaignHealth', scope, query)).recommended_action;
    const check = 'before resuming, verify the addresses of its list.';
    expect(await actionOf({ campaign_id: 'c' })).toBe(`Pause the campaign; ${check}`);
    expect(await actionOf({ campaign_id: 'sound' })).toBe('None.');
    expect(await actionOf({})).toBe(`Pause every campaign whose status is critical; ${check}`);
    const young = channelDrift({ look_possible: false, settled_replies: 8 });
    await replant(scope, 'drift', driftOf([young]));
    expect(await actionOf({ campaign_id: 'c' })).toBe(
      `Pause the campaign; ${check} Do not act; wait for 12 more replies to settle.`,
    );
  });

  it('has the rate of its own replies where it is all that the company sent, compared with nobody', async () => {
    const scope = await companyThatSent([95], [5, { outcome: 'responded' }]);
    const cohort = { companyId: scope.companyId, day: SETTLED, touches: 100, replies: 5 };
    await plantCohort(database.owner, cohort);
    const alone = await answers.answer('CampaignHealth', scope, { campaign_id: 'c' });
    // Beta(5.5, 95.5).
    expect(alone.reply_rate.value).toBeCloseTo(5.5 / 101, 5);
    expect([alone.reply_rate.ci_low, alone.reply_rate.ci_high]).toEqual([
      expect.closeTo(0.0194, 3) as number,
      expect.closeTo(0.1058, 3) as number,
    ]);
    expect(alone).toMatchObject({ baseline: { probability_below: null }, data_source: 'own' });
    const all = await answers.answer('CampaignHealth', scope, {});
    expect(all.reply_rate).toEqual(alone.reply_rate);
  });

  it('is compared with the rest of the company, of which it is no part', async () => {
    const scope = await companyThatSent([912], [38, { outcome: 'responded' }]);
    const cohort = { companyId: scope.companyId, day: SETTLED, touches: 1_000, replies: 50 };
    await plantCohort(database.owner, cohort);
    const { baseline } = await answers.answer('CampaignHealth', scope, { campaign_id: 'c' });
    // 4 % beside 24 % of the other fifty; beside the 5 % of all, of which it is 95 %, it would be .8.
    expect(baseline.probability_below).toBeGreaterThan(0.999);
    expect(baseline.reply_rate.n).toBe(1_000);
  });

  it('says that it is replies that lack where it is', async () => {
    const scope = await companyThatSent([256]);
    await replant(scope, 'bandit', {
      prior: { mean: 0.002, concentration: 40 },
      arms: [{ ...ARMS[0], posterior_mean: 0.002 }],
    });
    const { status, issues } = await answers.answer('CampaignHealth', scope, { campaign_id: 'c' });
    expect(status).toBe('insufficient_data');
    expect(issues).toMatchObject([{ code: 'few_expected_replies', value: 0.512 }]);
    expect(issues[0]?.message).toBe(
      'About 0.51 replies would be expected of 256 settled messages: too few to judge replies by, which takes about 500 such messages.',
    );
  });

  it('of an id that no message carries is nothing to wait for', async () => {
    const answer = await ask([[5, { campaign: 'spring' }]], { campaign_id: 'sprng' });
    expect(answer).toMatchObject({
      ...{
        similar_campaign_ids: ['spring'],
        campaign_count: 0,
        unique_recipients: 0,
        status: 'insufficient_data',
      },
      by_status: { insufficient_data: 0, healthy: 0, watch: 0, critical: 0 },
      ...{ first_sent_at: null, last_sent_at: null, data_source: 'prior' },
      issues: [{ code: 'campaign_not_found', severity: 'warning', value: null, ci_low: null, ci_high: null }],
    });
    expect(answer.issues[0]?.message).toContain('nothing to wait for');
    expect(answer.alerts).toEqual(['campaign_not_found']);
    expect(answer.summary).toMatch(
      /^No such campaign: no message with this campaign_id has arrived\. Ask again /,
    );
    const nameless = await answers.answer('CampaignHealth', await companyThatSent(), { campaign_id: 'c' });
    expect(nameless.summary).toContain('Send metadata.campaign_id with the events.');
  });
});
