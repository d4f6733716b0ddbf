import { type BanditDocument, DAY_MS, DOCUMENTS, type DriftDocument } from '@outcomes/contracts';
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
import { storeCampaignDays } from '../../test/sent-cells';
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
    await storeCampaignDays(
      database,
      scope,
      own.map((row) => ({ ...row, campaign: campaignOf(row.day) })),
    );
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

  it('begins on each channel with its own first message', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 60);
    for (const table of ['campaign_days', 'cohort_counts'])
      await database.query(
        `DELETE FROM ${table} WHERE company_id = $1 AND channel = 1 AND sent_day < $2::date`,
        [scope.companyId, isoDay(firstDay + 25)],
      );
    await run(scope, 'first-a');
    const { channels } = await documentOf<DriftDocument>(scope, DOCUMENTS.drift);
    expect(channels.map(({ channel, data_from }) => [channel, data_from])).toEqual([
      ['email', isoDay(firstDay)],
      ['linkedin', isoDay(firstDay + 25)],
    ]);
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
      { documents: () => [], evidence: null, notes, channels, messages: 0, campaigns: null },
      new Date('2026-06-05T00:00:01Z'),
    );
    const marks = await database.query<{ recount: string }>(
      'SELECT recount_from::text AS recount FROM channel_states WHERE company_id = $1',
      [companyId],
    );
    expect(marks.map(({ recount }) => recount)).toEqual([isoDay(firstDay + 30), isoDay(firstDay + 30)]);
  });

  describe('of two runs at once', () => {
    /** Messages of some days are erased, as ingestion notes it. */
    async function erase({ companyId }: TenantScope, from: number, to: number): Promise<void> {
      for (const table of ['campaign_days', 'cohort_counts'])
        await database.query(`DELETE FROM ${table} WHERE company_id = $1 AND sent_day BETWEEN $2 AND $3`, [
          companyId,
          isoDay(firstDay + from),
          isoDay(firstDay + to),
        ]);
      await database.query(
        `UPDATE channel_states SET recount_from = least(recount_from, $2), rescore_from = least(rescore_from, $2),
           revision = gen_random_uuid() WHERE company_id = $1`,
        [companyId, isoDay(firstDay + from)],
      );
    }
    /** A run that has read, and waits to publish. */
    async function reading(scope: TenantScope, runKey: string, at: string) {
      const begun = await analysis.runs.begin(scope, runKey, new Date(at));
      const { table, notes } = await analysis.cohorts.read(scope, new Date());
      const found = await analysis.channels.analyse(scope, table, () => 1, { looks: true });
      const channels = found.flatMap((one) => one.notes ?? []);
      const result = { documents: () => [], evidence: null, notes, channels, messages: 0, campaigns: null };
      return { publish: () => analysis.runs.publish(scope, begun, result, new Date(at)) };
    }
    /** Ledger, memory and what is still to be looked at, as they stand. */
    const standing = async ({ companyId }: TenantScope) => ({
      changes: await database.query(
        `SELECT changes.channel, settled_on::text, since::text, statistic
         FROM rate_changes AS changes JOIN channel_states USING (company_id, channel, generation)
         WHERE company_id = $1 ORDER BY channel, settled_on`,
        [companyId],
      ),
      states: await database.query(
        `SELECT channel, looked_through::text, md5(memory) AS memory, recount_from::text, rescore_from::text
         FROM channel_states WHERE company_id = $1 ORDER BY channel`,
        [companyId],
      ),
    });
    const company = async () => {
      const scope = await createCompany(database);
      await count(scope, 0, 150);
      await run(scope, 'first-a');
      return scope;
    };
    /** What runs one after the other leave. */
    const scratch = async (...erasures: readonly (readonly [number, number])[]) => {
      const scope = await company();
      for (const [from, to] of erasures) await erase(scope, from, to);
      await run(scope, 'erasure-scratch');
      return standing(scope);
    };
    const FIRST = [60, 80] as const;
    const SECOND = [72, 86] as const;
    const BOTH = [FIRST, SECOND] as const;

    it('is that of the one that read later, and not the rows of both', async () => {
      const scope = await company();
      await erase(scope, ...FIRST);
      const one = await reading(scope, 'erasure-a', '2026-06-05T00:00:00Z');
      await erase(scope, ...SECOND);
      const two = await reading(scope, 'erasure-b', '2026-06-05T00:00:03Z');
      await one.publish();
      await two.publish();
      const expected = await scratch(...BOTH);
      expect(expected.changes.length).toBeGreaterThan(0);
      expect(await standing(scope)).toEqual(expected);
      await count(scope, 150, 151);
      await expect(run(scope, 'erasure-c')).resolves.toMatchObject({ state: 'succeeded' });
    });

    it('stays that of the one that read later where it publishes first', async () => {
      const scope = await company();
      await erase(scope, ...FIRST);
      const early = await analysis.runs.begin(scope, 'erasure-a', new Date('2026-06-05T00:00:00Z'));
      const two = await reading(scope, 'erasure-b', '2026-06-05T00:00:03Z');
      await erase(scope, ...SECOND);
      const { table, notes } = await analysis.cohorts.read(scope, new Date());
      const found = await analysis.channels.analyse(scope, table, () => 1, { looks: true });
      const channels = found.flatMap((one) => one.notes ?? []);
      const result = { documents: () => [], evidence: null, notes, channels, messages: 0, campaigns: null };
      await analysis.runs.publish(scope, early, result, new Date('2026-06-05T00:00:04Z'));
      const later = await standing(scope);
      expect(later).toEqual(await scratch(...BOTH));
      await two.publish();
      expect(await standing(scope)).toEqual(later);
    });

    it('is kept once where both find the same', async () => {
      const scope = await company();
      await erase(scope, ...FIRST);
      const one = await reading(scope, 'erasure-a', '2026-06-05T00:00:00Z');
      const two = await reading(scope, 'erasure-b', '2026-06-05T00:00:03Z');
      await one.publish();
      const rows = await ledgerOf(scope);
      await two.publish();
      expect(await ledgerOf(scope)).toEqual(rows);
      expect(await standing(scope)).toEqual(await scratch(FIRST));
    });
  });

  describe('and arms that are refreshed while a run is under way', () => {
    const banditOf = (scope: TenantScope) => documentOf<BanditDocument>(scope, DOCUMENTS.bandit);
    /** Before the change can be told, and then all the days that tell of it. */
    const changing = async () => {
      const scope = await createCompany(database);
      await count(scope, 0, 80);
      await run(scope, 'first-a');
      await count(scope, 80, 150);
      return scope;
    };
    const nextBatch = (scope: TenantScope) =>
      storeProcessedBatch(database, scope, `${isoDay(firstDay + 150)}T03:00:00Z`);
    /** Arms that rest on the ledger as it stands. */
    const expected = async () => {
      const scope = await changing();
      await run(scope, 'first-b');
      return (await banditOf(scope)).arms;
    };
    afterEach(() => jest.restoreAllMocks());

    it('rest on the ledger of the run once it is published', async () => {
      const scope = await changing();
      const read = analysis.responders.read.bind(analysis.responders);
      jest.spyOn(analysis.responders, 'read').mockImplementationOnce(async (...given) => {
        // The ledger has been made, and is not published yet.
        await nextBatch(scope);
        await analysis.service.refreshArms(scope);
        return read(...given);
      });
      await run(scope, 'first-b');
      const bandit = await banditOf(scope);
      expect(bandit.data_as_of).toBe(`${isoDay(firstDay + 150)}T03:00:00.000Z`);
      expect(bandit.arms).toEqual(await expected());
    });

    it('rest on it too where the run is published before they are', async () => {
      const scope = await changing();
      const analyse = analysis.channels.analyse.bind(analysis.channels);
      jest.spyOn(analysis.channels, 'analyse').mockImplementationOnce(async (...given) => {
        const findings = await analyse(...given);
        await run(scope, 'first-b');
        return findings;
      });
      await nextBatch(scope);
      await analysis.service.refreshArms(scope);
      expect((await banditOf(scope)).arms).toEqual(await expected());
    });
  });

  it('is made anew where an earlier version mixed the rows of two', async () => {
    const scope = await createCompany(database);
    await count(scope, 0, 150);
    await run(scope, 'first-a');
    const whole = await documentOf<DriftDocument>(scope, DOCUMENTS.drift);
    await database.query(
      `INSERT INTO rate_changes SELECT company_id, channel, generation, settled_on + 1, since - 1, told_on + 1, is_up, ratio,
         statistic, rate_before, rate_after, scope_kind, scope_value FROM rate_changes WHERE company_id = $1`,
      [scope.companyId],
    );
    await count(scope, 150, 151);
    await run(scope, 'first-b');
    const { channels } = await documentOf<DriftDocument>(scope, DOCUMENTS.drift);
    expect(channels.map(({ changes }) => changes.map(({ since }) => since))).toEqual(
      whole.channels.map(({ changes }) => changes.map(({ since }) => since)),
    );
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
