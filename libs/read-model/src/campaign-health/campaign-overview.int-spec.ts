import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { HEALTH_STATUSES, OUTCOMES, type Outcome } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf } from '../../test/planted-drift';
import {
  plantCampaigns,
  plantCohort,
  plantOutcomeCounts,
  plantRun,
  plantSnapshot,
  plantTouch,
} from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';

const NOW = '2026-02-01T08:00:00.000Z';
const bandit = {
  data_as_of: NOW,
  engine_version: 'test',
  prior: { mean: 0.1, concentration: 40 },
  arms: [{ channel: 'email', position: 'vp', posterior_mean: 0.1 }],
};
/** Messages of each outcome on the tenth of January. */
const CAMPAIGNS: Readonly<Record<string, Partial<Record<Outcome, number>>>> = {
  sound: { responded: 8, no_response: 60 },
  bouncing: { bounced: 40, no_response: 40 },
  silent: { no_response: 150 },
  tiny: { no_response: 2 },
};

describe('all campaigns', () => {
  const company = mintTenantScope(randomUUID());
  const neighbour = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner } = database;
    const { companyId } = company;
    await plantRun(owner, companyId, 'succeeded', NOW);
    await plantSnapshot(owner, companyId, 'drift', driftOf([channelDrift()]));
    await plantSnapshot(owner, companyId, 'bandit', bandit);
    const messages = Object.entries(CAMPAIGNS).flatMap(([id, outcomes]) =>
      Object.entries(outcomes).map(([outcome, count]) => ({
        id,
        outcome: OUTCOMES.indexOf(outcome as Outcome),
        count,
      })),
    );
    await owner.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
         sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
       SELECT $1, gen_random_uuid(), 0, 0, 4, 0.9, outcome, true, '2026-01-10', '2026-01-10T08:00:00Z', '2026-01-11', '{}',
         id || outcome || '-' || n, 't', id
       FROM unnest($2::text[], $3::smallint[], $4::int[]) AS sent (id, outcome, count), generate_series(1, count) AS n`,
      [
        companyId,
        messages.map(({ id }) => id),
        messages.map(({ outcome }) => outcome),
        messages.map(({ count }) => count),
      ],
    );
    await plantTouch(owner, { companyId, campaignId: 'of-autumn', sentAt: '2025-10-10T08:00:00Z' });
    await plantTouch(owner, {
      companyId: neighbour.companyId,
      campaignId: 'CANARY',
      sentAt: '2026-01-10T08:00:00Z',
    });
    await plantCohort(owner, { companyId, day: '2026-01-10', touches: 300, replies: 30 });
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const ask = (query = {}) => answers.answer('CampaignHealth', company, query);

  it('come worst first, of those that sent in the window', async () => {
    const { campaigns, campaign_count, by_status, status, summary, scope, campaign_id } = await ask();
    expect(campaigns.map((row) => row.campaign_id)[0]).toBe('bouncing');
    expect(campaigns.map((row) => row.campaign_id).sort()).toEqual(Object.keys(CAMPAIGNS).sort());
    const badness = campaigns.map((row) => HEALTH_STATUSES.indexOf(row.status));
    expect(badness).toEqual([...badness].sort((a, b) => b - a));
    expect(campaigns[0]).toMatchObject({
      status: 'critical',
      issues: expect.arrayContaining(['high_bounce_rate']),
    });
    expect([scope, campaign_id, status, campaign_count]).toEqual(['company', null, 'critical', 4]);
    expect(Object.values(by_status).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(summary).toContain('4 campaigns sent in the 30 days to 2026-01-31, worst first: 1 critical');
  });

  it('are each judged as in the answer about it alone', async () => {
    const { campaigns } = await ask();
    for (const row of campaigns) {
      const alone = await ask({ campaign_id: row.campaign_id });
      expect(alone).toMatchObject({
        ...{ status: row.status, sample_size: row.sample_size, pending: row.pending },
        ...{ reply_rate: row.reply_rate, first_sent_at: row.first_sent_at, last_sent_at: row.last_sent_at },
        ...{ campaign_count: 1, campaigns: [], by_status: { [row.status]: 1 } },
      });
      expect(alone.issues.map(({ code }) => code)).toEqual(row.issues);
      expect([alone.bounce_rate.value, alone.replies.ratio]).toEqual([
        row.bounce_rate,
        row.reply_ratio.value,
      ]);
      expect(alone.alerts.includes('unresolved_outcomes_excluded')).toBe(row.pending > 0);
    }
  });

  it('are compared with what the company sends by the channel that was asked for', async () => {
    const { companyId } = company;
    const before = await ask({ channel: 'email' });
    const elsewhere = {
      companyId,
      day: '2026-01-10',
      channel: 'linkedin',
      touches: 300,
      replies: 240,
    } as const;
    await plantCohort(database.owner, elsewhere);
    const after = await ask({ channel: 'email' });
    await database.owner.query('DELETE FROM cohort_counts WHERE company_id = $1 AND channel = 1', [
      companyId,
    ]);
    expect(before.campaigns).toHaveLength(4);
    expect(after).toEqual(before);
  });

  it('are summed up, and told of in the alerts', async () => {
    const { sample_size, outcomes, alerts, by_step, issues, unique_recipients } = await ask();
    expect(sample_size).toBe(300);
    expect([outcomes.bounced, outcomes.responded, unique_recipients]).toEqual([40, 8, 300]);
    expect(alerts).toContain('high_bounce_rate');
    // Two messages say less of a campaign than the arms do.
    expect(alerts).toContain('borrowed_prior');
    expect((await ask({ campaign_id: 'tiny' })).alerts).toContain('borrowed_prior');
    expect([by_step, issues]).toEqual([[], []]);
  });

  it('have the reply rate of their own counts together', async () => {
    // Beta(8.5, 292.5): how far one campaign lies from the arms says nothing of the sum of four.
    const { reply_rate, own_data_share } = await ask();
    expect(reply_rate.value).toBeCloseTo(8.5 / 301, 5);
    expect([reply_rate.ci_low, reply_rate.ci_high]).toEqual([
      expect.closeTo(0.0128, 3) as number,
      expect.closeTo(0.0496, 3) as number,
    ]);
    expect(own_data_share).toBeGreaterThan(0.99);
  });

  it('are as many as asked for, and those of a longer window too', async () => {
    const { campaigns, alerts } = await ask({ limit: 2 });
    expect([campaigns.length, alerts.includes('results_truncated')]).toEqual([2, true]);
    const ofAYear = await ask({ window_days: 365 });
    expect(ofAYear.campaigns.map((row) => row.campaign_id)).toContain('of-autumn');
  });

  it('are none on a channel that none of them used, and none of another company', async () => {
    expect((await ask({ channel: 'linkedin' })).campaigns).toEqual([]);
    expect(JSON.stringify(await ask({ window_days: 365 }))).not.toContain('CANARY');
    const empty = await answers.answer('CampaignHealth', mintTenantScope(randomUUID()), {});
    expect(empty).toMatchObject({ status: 'insufficient_data', campaigns: [], first_sent_at: null });
    expect(empty.summary).toContain('No campaign sent in the 30 days to 2026-02-01');
  });

  describe('of companies of their own', () => {
    /** Campaigns with so many messages each, all sent on one day and settled. */
    const companyWith = async (
      campaigns: readonly (readonly [id: string, messages: number, day?: string])[],
    ) => {
      const scope = mintTenantScope(randomUUID());
      await plantRun(database.owner, scope.companyId, 'succeeded', NOW);
      await plantSnapshot(database.owner, scope.companyId, 'drift', driftOf([channelDrift()]));
      await database.owner.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
           sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
         SELECT $1, gen_random_uuid(), 0, 0, 4, 0.9, 0, true, day, day + interval '8 hours', day + 1, '{}', id || n, 't', id
         FROM unnest($2::text[], $3::int[], $4::date[]) AS campaign (id, messages, day), generate_series(1, messages) AS n`,
        [
          scope.companyId,
          campaigns.map(([id]) => id),
          campaigns.map(([, messages]) => messages),
          campaigns.map(([, , day = '2026-01-10']) => day),
        ],
      );
      return scope;
    };
    const namesOf = (rows: readonly { readonly campaign_id: string }[]) =>
      rows.map(({ campaign_id }) => campaign_id);

    it('stand by size and then by name where nothing else tells them apart', async () => {
      const scope = await companyWith([
        ['b', 3],
        ['large', 9],
        ['a', 3],
      ]);
      const answer = await answers.answer('CampaignHealth', scope, {});
      expect(namesOf(answer.campaigns)).toEqual(['large', 'a', 'b']);
      expect(answer).toMatchObject({
        by_status: { insufficient_data: 3, healthy: 0, watch: 0, critical: 0 },
        ...{ status: 'insufficient_data', sample_size: 15, unique_recipients: 15 },
      });
      expect(answer.summary).toMatch(
        /^3 campaigns sent in the 30 days to 2026-01-31, worst first: 0 critical, 0 watch, 0 healthy, 3 with too little data\. Reply rate of all of them .*n = 15\)\. /,
      );
      expect(answer.alerts).toEqual(['small_sample']);
    });

    it('count from the first day of the window, and their own first and last messages', async () => {
      const scope = await companyWith([
        ['in', 2, '2026-01-02'],
        ['out', 2, '2026-01-01'],
        ['young', 1, '2026-01-30'],
      ]);
      const answer = await answers.answer('CampaignHealth', scope, {});
      expect(namesOf(answer.campaigns)).toEqual(['in', 'young']);
      expect(answer).toMatchObject({
        ...{
          pending: 1,
          first_sent_at: '2026-01-02T08:00:00.000Z',
          last_sent_at: '2026-01-30T08:00:00.000Z',
        },
        alerts: ['very_small_sample', 'unresolved_outcomes_excluded'],
      });
      const none = await answers.answer('CampaignHealth', await companyWith([['out', 2, '2025-01-01']]), {});
      expect(none.summary).toMatch(/^No campaign sent in the 30 days to 2026-01-31; 1 campaign on record\. /);
      expect(none).toMatchObject({ campaigns: [], first_sent_at: null, last_sent_at: null, alerts: [] });
    });

    it('are the hundred that sent last', async () => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, i) => [`c${i}`, 1, i === 7 ? '2026-01-09' : '2026-01-10'] as const);
      const hundred = await answers.answer('CampaignHealth', await companyWith(many(100)), { limit: 50 });
      expect([hundred.campaign_count, hundred.campaigns.length]).toEqual([100, 50]);
      // Without a limit as many as fit into a small answer.
      const usual = await answers.answer('CampaignHealth', await companyWith(many(40)), {});
      expect(Buffer.byteLength(JSON.stringify(usual))).toBeLessThan(8_192);
      expect(usual.alerts).toContain('results_truncated');
      // Those that sent before the window are none that could be listed.
      const old = many(101).map(([id], i) => [id, 1, i < 60 ? '2025-06-01' : '2026-01-10'] as const);
      const few = await answers.answer('CampaignHealth', await companyWith(old), { limit: 50 });
      expect([few.campaign_count, few.alerts.includes('results_truncated')]).toEqual([41, false]);
      const crowded = await companyWith(many(101));
      const more = await answers.answer('CampaignHealth', crowded, {});
      expect([more.campaign_count, more.alerts.includes('results_truncated')]).toEqual([100, true]);
      expect(more.unique_recipients).toBe(100);
      expect(hundred.summary).toMatch(/^100 campaigns sent in the 30 days to 2026-01-31, worst first: /);
      expect(more.summary).toMatch(
        /^The 100 campaigns that sent last, of more than 100 that sent in the 30 days to 2026-01-31, worst first: /,
      );
      const none = await answers.answer('CampaignHealth', crowded, { channel: 'linkedin' });
      expect(none.summary).toMatch(
        /^Of the 100 campaigns that sent last none sent in the 30 days to 2026-01-31 on this channel; there are more, /,
      );
    });

    it('are the latest of however many, named by year or otherwise', async () => {
      const scope = await companyWith([]);
      const old = Array.from({ length: 10_001 }, (_, n) => [`2019-${n}`, '2019-05-01'] as const);
      await plantCampaigns(database.owner, scope.companyId, [...old, ['2026-1', '2026-01-10']]);
      const answer = await answers.answer('CampaignHealth', scope, {});
      expect(namesOf(answer.campaigns)).toEqual(['2026-1']);
      expect(answer.alerts).not.toContain('results_truncated');
      const list = await answers.answer('CampaignList', scope, { limit: 1 });
      expect(list.campaign_count).toBe(10_002);
      // While their counts are made anew, only the first by name are known.
      await database.owner.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [scope.companyId]);
      const meanwhile = await answers.answer('CampaignHealth', scope, {});
      expect(meanwhile.summary).toMatch(
        /^Of 10000 campaigns none sent in the 30 days to 2026-01-31; there are more, which this answer does not cover yet\. /,
      );
      expect(meanwhile.alerts).toContain('results_truncated');
      const counting = await answers.answer('CampaignList', scope, { limit: 1 });
      expect(counting.summary).toMatch(/^More than 10000 campaigns, 1 on this page\. /);
    });

    it.each([
      [19_999, 2],
      [20_000, null],
    ])(
      'hold %d messages and one, whose contacts are counted as time allows: %p',
      async (messages, contacts) => {
        const scope = await companyWith([
          ['newest', 1, '2026-01-12'],
          ['older', 1, '2026-01-11'],
        ]);
        const sentOn = (day: string, count: number) =>
          Array.from({ length: count }, () => ({ sentAt: day, ...scope }));
        const counted = (campaignId: string, day: string, count: number) =>
          plantOutcomeCounts(database.owner, { ...scope, campaignId }, sentOn(day, count));
        await counted('newest', '2026-01-12', messages);
        await counted('older', '2026-01-11', 1);
        const answer = await answers.answer('CampaignHealth', scope, {});
        expect(namesOf(answer.campaigns)).toEqual(['newest', 'older']);
        expect(answer.alerts).not.toContain('results_truncated');
        expect(answer.sample_size + answer.pending).toBe(messages + 1);
        expect(answer.unique_recipients).toBe(contacts);
      },
    );
  });
});
