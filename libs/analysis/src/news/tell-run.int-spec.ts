import { DAY_MS } from '@outcomes/contracts';
import { CampaignOutcomeCounts, campaignKeyOf, fortnightOf } from '@outcomes/persistence';
import { seededRng } from '@outcomes/statistics';
import { channelWorld } from '@outcomes/statistics/testing';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { WEBHOOK_TYPES } from '@outcomes/webhooks';
import {
  createCompany,
  FIRST_DAY,
  openAnalysis,
  storeProcessedBatch,
  type AnalysisParts,
} from '../../test/company-fixture';
import { cellsOf, storeCells } from '../../test/sent-cells';
import { storeTouches, type PlannedTouch } from '../../test/touch-fixture';
import { isoDay } from '../cohorts/days';
import { CriticalCampaignRepository } from './critical-campaign.repository';

/** Whose replies fall to a fifth after half of the days. */
const DAYS = 90;
const fallen = cellsOf(
  0,
  channelWorld({ days: DAYS, sendsPerDay: 200, campaigns: 4 }, seededRng(5)).counts,
).map((cell) =>
  cell.day < FIRST_DAY + 60
    ? cell
    : { ...cell, replies: Math.floor(cell.replies / 5), replyDelays: [Math.floor(cell.replies / 5)] },
);
const ENDS = `${isoDay(FIRST_DAY + DAYS)}T02:00:00Z`;

describe('what a run puts into the outbox', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const company = async () => {
    const scope = await createCompany(database);
    await storeCells(database, scope, fallen);
    await storeProcessedBatch(database, scope, ENDS);
    return scope;
  };
  const subscribe = (scope: TenantScope, types: readonly string[] = Object.keys(WEBHOOK_TYPES)) =>
    database.query(
      `INSERT INTO webhook_endpoints (company_id, endpoint_id, url, types, signing_secret, created_at)
       VALUES ($1, 'whk_' || gen_random_uuid(), 'https://hooks.example.com/', $2, '\\x00', now())`,
      [scope.companyId, types],
    );
  /** Messages of a campaign that end on the last day; of them the first bounced. */
  const campaign = async (scope: TenantScope, name: string, messages: number, bounced: number) => {
    const touches = Array.from({ length: messages }, (_, n): PlannedTouch => ({
      ...{ name: `${name}-${n}`, person: null, day: FIRST_DAY + DAYS - 20, channel: 0, position: 1 },
      ...{ industry: null, outcome: n < bounced ? 2 : 1, tone: 'direct' },
    }));
    await storeTouches(database, scope, touches);
    await database.query(
      `UPDATE touches SET campaign_id = $2 WHERE company_id = $1 AND recipient_id LIKE $2 || '-%'`,
      [scope.companyId, name],
    );
  };
  const told = async (scope: TenantScope) => {
    const rows = await database.query<{ type: string; body: string }>(
      `DELETE FROM webhook_messages WHERE company_id = $1 RETURNING type, body`,
      [scope.companyId],
    );
    await database.query('DELETE FROM webhook_deliveries WHERE company_id = $1', [scope.companyId]);
    return rows.map(({ type, body }) => ({
      type,
      data: (JSON.parse(body) as { data: Record<string, unknown> }).data,
    }));
  };
  const typesTold = async (scope: TenantScope) => (await told(scope)).map(({ type }) => type).sort();

  it('is what has changed, once; and nothing for who does not subscribe', async () => {
    const [scope, quiet] = [await company(), await company()];
    await subscribe(scope);
    for (const one of [scope, quiet]) await analysis.service.run(one, { runKey: 'first' });
    const news = await told(scope);
    expect(news.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['analysis.finished', 'drift.changed']),
    );
    expect(news.find(({ type }) => type === 'drift.changed')?.data).toMatchObject({ direction: 'down' });
    expect(await told(quiet)).toEqual([]);
    await analysis.service.run(scope, { runKey: 'first' });
    expect(await told(scope)).toEqual([]);
    await analysis.service.run(scope, { runKey: 'second' });
    expect(await typesTold(scope)).toEqual(['analysis.finished']);
  });

  it('is of the types that somebody subscribes to', async () => {
    const scope = await company();
    await subscribe(scope, ['pattern.confirmed', 'drift.changed']);
    await analysis.service.run(scope, { runKey: 'first' });
    expect(new Set(await typesTold(scope))).toEqual(new Set(['drift.changed']));
  });

  it('is committed with the documents or not at all', async () => {
    const scope = await company();
    await subscribe(scope);
    await database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON snapshots FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    try {
      await expect(analysis.service.run(scope, { runKey: 'broken' })).rejects.toBeDefined();
    } finally {
      await database.query('DROP TRIGGER refuse ON snapshots; DROP FUNCTION refuse()');
    }
    expect(await told(scope)).toEqual([]);
    await analysis.service.run(scope, { runKey: 'broken' });
    expect(await typesTold(scope)).toContain('analysis.finished');
  });

  it('is each campaign that becomes critical, once, and again after it was fine', async () => {
    const scope = await company();
    await subscribe(scope, ['campaign.critical']);
    await campaign(scope, 'sound', 300, 3);
    await campaign(scope, 'burnt', 300, 60);
    await analysis.service.run(scope, { runKey: 'one' });
    const [news, ...others] = await told(scope);
    expect(others).toEqual([]);
    expect(news?.data).toMatchObject({ campaign_id: 'burnt', sent: 300, bounced: 60, unsubscribed: 0 });
    expect(news?.data.issues).toMatchObject([{ code: 'bounce_rate_high', value: 0.2 }]);
    await analysis.service.run(scope, { runKey: 'two' });
    expect(await told(scope)).toEqual([]);
    await database.query(`UPDATE touches SET outcome = 1 WHERE company_id = $1 AND campaign_id = 'burnt'`, [
      scope.companyId,
    ]);
    await analysis.service.run(scope, { runKey: 'three' });
    expect(await told(scope)).toEqual([]);
    await campaign(scope, 'burnt', 300, 60);
    await analysis.service.run(scope, { runKey: 'four' });
    expect(await typesTold(scope)).toEqual(['campaign.critical']);
  });

  it('is a critical campaign as it is counted, over its whole life and without its messages', async () => {
    const scope = await company();
    await subscribe(scope, ['campaign.critical']);
    const lastDay = FIRST_DAY + DAYS - 1;
    const counted = async (name: string, day: number, bounced: number) => {
      const keys = [scope.companyId, campaignKeyOf(name)];
      await database.query(
        `INSERT INTO campaigns (company_id, campaign, campaign_id, touches) VALUES ($1, $2, $3, 150) ON CONFLICT DO NOTHING`,
        [...keys, name],
      );
      const counts = new CampaignOutcomeCounts();
      const cell = { day, channel: 0, step: 0, position: 1, isRepliedAndUnsubscribed: false };
      for (let n = 0; n < 150; n += 1) counts.add({ ...cell, outcome: n < bounced ? 2 : 0 }, 1);
      await database.query(
        'INSERT INTO campaign_outcomes (company_id, campaign, fortnight, counts) VALUES ($1, $2, $3, $4)',
        [...keys, fortnightOf(day), counts.encode()],
      );
    };
    for (const day of [FIRST_DAY + 5, lastDay - 20]) {
      await counted('burnt', day, 30);
      await counted('sound', day, 1);
    }
    // Over for longer than campaign health looks back.
    await counted('past', lastDay - 40, 60);
    await analysis.service.run(scope, { runKey: 'one' });
    expect(await told(scope)).toMatchObject([
      { data: { campaign_id: 'burnt', sent: 300, bounced: 60, unsubscribed: 0 } },
    ]);
    // They are counted anew: the messages tell, of which there are none.
    await database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [scope.companyId]);
    await database.query('DELETE FROM critical_campaigns WHERE company_id = $1', [scope.companyId]);
    await analysis.service.run(scope, { runKey: 'two' });
    expect(await told(scope)).toEqual([]);
  });

  it('judges the hundred campaigns that sent last, by their counts as by their messages', async () => {
    const [counted, uncounted] = [await createCompany(database), await createCompany(database)];
    const [from, to] = [FIRST_DAY + 60, FIRST_DAY + 89];
    /** Messages of a campaign by day, each with its outcome. */
    const campaigns: [
      name: string,
      sent: readonly (readonly [day: number, outcomes: readonly number[]])[],
    ][] = [
      ['b', [[to, [0, 2, 3, 1]]]],
      ['a', [[to, [3, 3]]]],
      ['edge', [[from, [0]]]],
      ['early', [[from - 1, [0, 0]]]],
      // Its whole life counts, but for what came after the outcomes of the run.
      ['long', [40, 63, 88, 90].map((day, n) => [FIRST_DAY + day, n === 0 ? [2, 2, 0] : [0]] as const)],
    ];
    for (const [name, sent] of campaigns) {
      const key = campaignKeyOf(name);
      const cells = sent.flatMap(([day, outcomes]) => outcomes.map((outcome) => ({ day, outcome })));
      await database.query(
        'INSERT INTO campaigns (company_id, campaign, campaign_id, touches) VALUES ($1, $2, $3, $4)',
        [counted.companyId, key, name, cells.length],
      );
      for (const [fortnight, own] of Map.groupBy(cells, ({ day }) => fortnightOf(day))) {
        const counts = new CampaignOutcomeCounts();
        for (const cell of own)
          counts.add({ ...cell, channel: 0, step: 0, position: 1, isRepliedAndUnsubscribed: false }, 1);
        await database.query(
          'INSERT INTO campaign_outcomes (company_id, campaign, fortnight, counts) VALUES ($1, $2, $3, $4)',
          [counted.companyId, key, fortnight, counts.encode()],
        );
      }
      const touches = cells.map((cell, n): PlannedTouch => ({
        ...{ ...cell, name: `${name}-${n}`, person: null, channel: 0, position: 1 },
        ...{ industry: null, tone: 'direct' },
      }));
      await storeTouches(database, uncounted, touches);
      await database.query(
        `UPDATE touches SET campaign_id = $2 WHERE company_id = $1 AND recipient_id LIKE $2 || '-%'`,
        [uncounted.companyId, name],
      );
    }
    const campaignsOf = new CriticalCampaignRepository(analysis.tenants);
    const totals = (scope: TenantScope) =>
      campaignsOf.recentTotals(scope, new Date(from * DAY_MS), new Date(to * DAY_MS + 3_600_000));
    // Nobody wants to be told of them.
    await subscribe(counted, ['analysis.finished']);
    expect(await totals(counted)).toBeNull();
    for (const scope of [counted, uncounted]) await subscribe(scope, ['campaign.critical']);
    const [a, b, edge, long] = [
      { campaignId: 'a', sends: 2, bounces: 0, unsubscribes: 2 },
      { campaignId: 'b', sends: 4, bounces: 1, unsubscribes: 1 },
      { campaignId: 'edge', sends: 1, bounces: 0, unsubscribes: 0 },
      { campaignId: 'long', sends: 5, bounces: 2, unsubscribes: 0 },
    ] as const;
    expect(await totals(counted)).toEqual([long, a, b, edge]);
    expect(await totals(uncounted)).toEqual([a, b, edge, long]);
    // As many more, of the same day as the first.
    const more = Array.from({ length: 98 }, (_, n) => `c${n + 100}`);
    for (const name of more) {
      const keys = [counted.companyId, campaignKeyOf(name)];
      await database.query(
        `WITH own AS (INSERT INTO campaigns (company_id, campaign, campaign_id, touches) VALUES ($1, $2, $3, 1))
         INSERT INTO campaign_outcomes (company_id, campaign, fortnight, counts)
         SELECT $1, $2, fortnight, counts FROM campaign_outcomes WHERE company_id = $1 AND campaign = $4`,
        [...keys, name, campaignKeyOf('a')],
      );
    }
    const hundred = (await totals(counted)) ?? [];
    expect(hundred.map(({ campaignId }) => campaignId)).toEqual(['long', 'a', 'b', ...more.slice(0, 97)]);
    expect(hundred.at(-1)).toEqual({ ...a, campaignId: 'c196' });
  });

  it('is a critical campaign among the newest, however many there were before it', async () => {
    const scope = await company();
    await subscribe(scope, ['campaign.critical']);
    const earlier = Array.from({ length: 10_050 }, (_, n): PlannedTouch => ({
      ...{ name: `before-${n}`, person: null, day: FIRST_DAY + DAYS - 25, channel: 0, position: 1 },
      ...{ industry: null, outcome: 0, tone: 'direct' },
    }));
    await storeTouches(database, scope, earlier);
    await database.query(`UPDATE touches SET campaign_id = recipient_id WHERE company_id = $1`, [
      scope.companyId,
    ]);
    await campaign(scope, 'newest', 300, 60);
    await analysis.service.run(scope, { runKey: 'one' });
    expect(await told(scope)).toMatchObject([{ data: { campaign_id: 'newest', bounced: 60 } }]);
  });

  it('is a source that has gone silent', async () => {
    const scope = await company();
    await subscribe(scope, ['source.silent']);
    await analysis.service.run(scope, { runKey: 'one' });
    expect(await told(scope)).toEqual([]);
    await database.query(
      `INSERT INTO sources (company_id, source_id, tool, created_at, last_delivery_at)
       VALUES ($1, 'src_dead', 'smartlead', $2::date, $2::date + 50)`,
      [scope.companyId, isoDay(FIRST_DAY)],
    );
    await database.query(
      `INSERT INTO source_days (company_id, source_id, day, deliveries)
       SELECT $1, 'src_dead', $2::date + n, 12 FROM generate_series(0, 50) AS n`,
      [scope.companyId, isoDay(FIRST_DAY)],
    );
    await analysis.service.run(scope, { runKey: 'two' });
    expect(await told(scope)).toMatchObject([{ data: { source: 'src_dead', tool: 'smartlead' } }]);
    await analysis.service.run(scope, { runKey: 'three' });
    expect(await told(scope)).toEqual([]);
  });
});
