import { type BanditDocument, DAY_MS, DOCUMENTS, type DriftDocument } from '@outcomes/contracts';
import { CampaignDayCounts, campaignKeyOf } from '@outcomes/persistence';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  openAnalysis,
  plannedRows,
  storeProcessedBatch,
  storeRows,
  type AnalysisParts,
  type PlannedRow,
} from '../../test/company-fixture';
import { isoDay } from '../cohorts/days';

const CHANGED_AFTER = 70;

/** Replies are halved from a day on, in every campaign; two campaigns take turns. */
const rows: PlannedRow[] = plannedRows({ days: 150, sendsPerDay: 240, baseRate: 0.2 }).map((row) => {
  const first = 20_458;
  return row.day < first + CHANGED_AFTER ? row : { ...row, replies: Math.floor(row.replies / 3) };
});
const firstDay = rows[0]?.day ?? 0;
const campaignOf = (day: number) => (day % 2 === 0 ? 'spring' : null);

describe('the ledger between runs', () => {
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

  /** Days up to one, as ingestion counts them. */
  async function count(scope: TenantScope, from: number, to: number): Promise<void> {
    const own = rows.filter(({ day }) => day >= firstDay + from && day < firstDay + to);
    await storeRows(database, scope, own);
    for (const ofDay of Map.groupBy(own, ({ day, channel }) => `${channel} ${day}`).values()) {
      const counts = new CampaignDayCounts();
      const { day, channel } = ofDay[0] as PlannedRow;
      for (const { step, position, touches, replies } of ofDay)
        counts.add(campaignKeyOf(campaignOf(day)), step, position, touches, replies);
      await database.query(
        'INSERT INTO campaign_days (company_id, channel, sent_day, counts) VALUES ($1, $2, $3, $4)',
        [scope.companyId, channel, isoDay(day), counts.encode()],
      );
    }
    await storeProcessedBatch(database, scope, `${isoDay(firstDay + to)}T02:00:00Z`);
  }

  const run = (scope: TenantScope, runKey: string) => analysis.service.run(scope, { runKey });
  const documentOf = async <Content>(scope: TenantScope, name: string) =>
    JSON.parse((await analysis.runs.document(scope, name)) ?? 'null') as Content;
  const ledgerOf = async ({ companyId }: TenantScope) =>
    database.query(
      `SELECT channel, generation, since::text, told_on::text, scope_kind FROM rate_changes WHERE company_id = $1
       ORDER BY generation, channel, settled_on`,
      [companyId],
    );

  it('grows by a row when a change is told, and no run after that writes it again', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 90);
    await run(scope, 'first-a');
    const early = await ledgerOf(scope);
    await count(scope, 90, 150);
    await run(scope, 'first-b');
    const late = await ledgerOf(scope);
    expect(late.length).toBeGreaterThanOrEqual(2);
    expect(late.slice(0, early.length)).toEqual(early);
    await run(scope, '2026-06-03');
    expect(await ledgerOf(scope)).toEqual(late);
    const drift = await documentOf<DriftDocument>(scope, DOCUMENTS.drift);
    for (const { changes } of drift.channels) {
      const since = Date.parse(changes.at(-1)?.since ?? '') / DAY_MS;
      expect(Math.abs(since - firstDay - CHANGED_AFTER)).toBeLessThan(4);
    }
    const whole = await createCompany(database);
    await count(whole, 0, 150);
    await run(whole, 'first-a');
    const scratch = await documentOf<DriftDocument>(whole, DOCUMENTS.drift);
    expect(scratch.channels).toEqual(drift.channels);
    const armsOf = async (of: TenantScope) => (await documentOf<BanditDocument>(of, DOCUMENTS.bandit)).arms;
    expect(await armsOf(whole)).toEqual(await armsOf(scope));
  });

  it('is made anew under the next generation where the messages behind it are deleted', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 150);
    await run(scope, 'first-a');
    const before = await ledgerOf(scope);
    expect(before.length).toBeGreaterThan(0);
    const { companyId } = scope;
    for (const table of ['campaign_days', 'cohort_counts'])
      await database.query(`DELETE FROM ${table} WHERE company_id = $1 AND sent_day > $2`, [
        companyId,
        isoDay(firstDay + 60),
      ]);
    await database.query(
      `UPDATE channel_states SET recount_from = $2, rescore_from = $2, revision = gen_random_uuid()
       WHERE company_id = $1`,
      [companyId, isoDay(firstDay + 61)],
    );
    await run(scope, 'erasure-a');
    const drift = await documentOf<DriftDocument>(scope, DOCUMENTS.drift);
    for (const { changes, recounted_at } of drift.channels) {
      expect(changes).toEqual([]);
      expect(recounted_at).not.toBeNull();
    }
    // What stood stays on record.
    expect(await ledgerOf(scope)).toEqual(before);
    const states = await database.query<{ generation: number; recount_from: string | null }>(
      'SELECT generation, recount_from FROM channel_states WHERE company_id = $1',
      [companyId],
    );
    for (const state of states) expect(state).toEqual({ generation: 2, recount_from: null });
  });

  it('keeps a note that was made while a run was under way', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 100);
    await run(scope, 'first-a');
    await count(scope, 100, 120);
    const { companyId } = scope;
    const slow = await analysis.runs.begin(scope, 'first-b', new Date('2026-06-05T00:00:00Z'));
    const { table } = await analysis.cohorts.read(scope, new Date());
    const found = await analysis.channels.analyse(scope, table, () => 1, { looks: true });
    await database.query(
      `UPDATE channel_states SET recount_from = $2, revision = gen_random_uuid() WHERE company_id = $1`,
      [companyId, isoDay(firstDay + 30)],
    );
    const { notes } = await analysis.cohorts.read(scope, new Date());
    const channels = found.flatMap((one) => one.notes ?? []);
    await analysis.runs.publish(
      scope,
      slow,
      { documents: () => [], evidence: null, notes, channels, messages: 0 },
      new Date('2026-06-05T00:00:01Z'),
    );
    const marks = await database.query<{ recount: string }>(
      'SELECT recount_from::text AS recount FROM channel_states WHERE company_id = $1',
      [companyId],
    );
    expect(marks.map(({ recount }) => recount)).toEqual([isoDay(firstDay + 30), isoDay(firstDay + 30)]);
  });

  it('cannot be changed by the worker that writes it', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 150);
    await run(scope, 'first-a');
    for (const statement of ['UPDATE rate_changes SET ratio = 1', 'DELETE FROM rate_changes']) {
      await expect(
        analysis.tenants.transaction(scope, ({ client }) => client.query(statement)),
      ).rejects.toMatchObject({ cause: { message: 'permission denied for table rate_changes' } });
    }
  });

  it('stands in for nobody: another company sees none of it', async () => {
    const [own, foreign] = [await createCompany(database), await createCompany(database)];
    await count(own, 0, 150);
    await run(own, 'first-a');
    await count(foreign, 0, 40);
    await run(foreign, 'first-a');
    expect(await ledgerOf(foreign)).toEqual([]);
  });
});
