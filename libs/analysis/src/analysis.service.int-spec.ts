import { DOCUMENTS, LEVEL_COUNT, METRICS, type DriftDocument } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, waitUntil, waitingForLock, type TestDatabase } from '@outcomes/testing';
import { ENGINE_VERSION } from '@outcomes/statistics';
import {
  createCompany,
  openAnalysis,
  plannedRows,
  storeProcessedBatch,
  storeResponders,
  storeRows,
  type AnalysisParts,
} from '../test/company-fixture';
import { weekOf } from './cohorts/days';
import type { HistoryNotes } from './cohorts/read-history';
import { countsByLevel } from './rates/level-counts';

const HISTORY = plannedRows({ days: 110, sendsPerDay: 120 });

describe('an analysis', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;
  let company: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });
  beforeEach(async () => {
    company = await createCompany(database);
  });

  const withHistory = async () => {
    await storeRows(database, company, HISTORY);
    await storeProcessedBatch(database, company, '2026-06-01T01:00:00Z');
  };
  const documents = async ({ companyId }: TenantScope = company) => {
    // History is folded beside the analysis.
    await analysis.backtests.idle();
    return database.query<{ document: string; body: string; etag: string; run_id: string; data_as_of: Date }>(
      'SELECT * FROM snapshots WHERE company_id = $1 ORDER BY document',
      [companyId],
    );
  };
  const document = async <Content>(name: string): Promise<Content> => {
    const found = (await documents()).find((row) => row.document === name);
    return JSON.parse(found?.body ?? 'null') as Content;
  };
  const runs = async () =>
    database.query<{
      run_id: string;
      run_key: string;
      state: string;
      failure_code: string | null;
      finished_at: Date;
    }>('SELECT * FROM analysis_runs WHERE company_id = $1 ORDER BY started_at', [company.companyId]);
  const timeless = (rows: readonly { document: string; body: string; etag: string }[]) =>
    rows.map(({ document: name, body, etag }) => ({
      name,
      etag,
      body: body.replace(/"(updated|lastUpdated|last_updated|analysed_at)":"[^"]*"/g, '"$1":"-"'),
    }));

  it('leaves every document of the read model, with the run and the age of the data', async () => {
    await withHistory();
    await storeResponders(database, company, [
      { recipient: 'a', position: 4, confidence: 0.9 },
      { recipient: 'b', position: 4, confidence: 0.8 },
      { recipient: 'c', position: 4, confidence: 0.7 },
      { recipient: 'd', position: 2, confidence: 0.9 },
      { recipient: 'e', position: 0, confidence: 0.1 },
    ]);

    const { runId, state } = await analysis.service.run(company, { runKey: '2026-06-01' });

    expect(state).toBe('succeeded');
    const stored = await documents();
    const metrics = METRICS.filter(({ metricName }) => metricName !== 'llm').map(
      ({ metricName }) => `analysis/${metricName}_analysis`,
    );
    expect(stored.map((row) => row.document).sort()).toEqual(
      [
        ...metrics,
        'analysis/general_analysis',
        'analysis/timing_matrix',
        DOCUMENTS.patterns,
        DOCUMENTS.variants,
        DOCUMENTS.bandit,
        DOCUMENTS.drift,
        DOCUMENTS.chunks,
        DOCUMENTS.contactInsights,
        DOCUMENTS.recipients,
        DOCUMENTS.segments,
        DOCUMENTS.frame,
        DOCUMENTS.volumes,
        DOCUMENTS.calibration,
      ].sort(),
    );
    expect(new Set(stored.map((row) => row.run_id))).toEqual(new Set([runId]));
    expect(stored[0]?.data_as_of).toEqual(new Date('2026-06-01T01:00:00Z'));
    const [run] = await runs();
    // Mutation: a run is over when its data came.
    expect(run?.finished_at.getTime()).toBeGreaterThan(Date.parse('2026-06-01T01:00:00Z'));
    const { newest_outcome_at, channels } = await document<DriftDocument>(DOCUMENTS.drift);
    expect(await document(DOCUMENTS.frame)).toEqual({
      analysed_at: run?.finished_at.toISOString(),
      data_as_of: '2026-06-01T01:00:00.000Z',
      newest_outcome_at,
      channels,
    });
    expect(await runs()).toEqual([expect.objectContaining({ state: 'succeeded', failure_code: null })]);
    expect(await document(DOCUMENTS.bandit)).toMatchObject({
      data_as_of: '2026-06-01T01:00:00.000Z',
      engine_version: ENGINE_VERSION,
    });
    expect(await document(DOCUMENTS.recipients)).toMatchObject({
      overview: {
        total_profiled: 5,
        high_confidence_count: 3,
        segments_count: 0,
        has_sufficient_data: false,
      },
      position_breakdown: [
        { position: 'vp', count: 3, avg_confidence: 0.8, total_responses: 3, percentage: 60 },
      ],
    });
  });

  it('tells how far it is: most of it is reading', async () => {
    await withHistory();
    const shares: number[] = [];
    await analysis.service.run(company, { runKey: '2026-06-01', onProgress: (share) => shares.push(share) });
    const weeks = new Set(HISTORY.map(({ day }) => weekOf(day))).size;
    expect(shares).toHaveLength(weeks + 1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.slice(-2)).toEqual([0.9, 1]);
  });

  it.each(['2026-06-01', 'growth-first'])(
    'answers a key that has succeeded from the book: %s',
    async (runKey) => {
      await withHistory();
      const first = await analysis.service.run(company, { runKey });
      const before = await documents();
      await storeProcessedBatch(database, company, '2026-06-01T09:00:00Z');
      expect(await analysis.service.run(company, { runKey })).toEqual(first);
      expect(await documents()).toEqual(before);
      expect(await runs()).toHaveLength(1);
    },
  );

  it.each(['manual', 'first'])('runs a %s analysis again only where data came since', async (runKey) => {
    await withHistory();
    const first = await analysis.service.run(company, { runKey });
    expect(await analysis.service.run(company, { runKey })).toEqual(first);
    await storeProcessedBatch(database, company, '2026-06-01T09:00:00Z');
    const second = await analysis.service.run(company, { runKey });
    expect(second.runId).not.toBe(first.runId);
    expect((await documents())[0]?.data_as_of).toEqual(new Date('2026-06-01T09:00:00Z'));
  });

  it('gives the same bytes on the same data, but for the times of writing', async () => {
    await withHistory();
    await analysis.service.run(company, { runKey: '2026-06-01' });
    const first = await documents();
    const { runId } = await analysis.service.run(company, { runKey: '2026-06-02' });
    const second = await documents();
    expect(new Set(second.map((row) => row.run_id))).toEqual(new Set([runId]));
    expect(timeless(second)).toEqual(timeless(first));
    expect(second.map((row) => row.body)).not.toEqual(first.map((row) => row.body));
  });

  it('writes documents also for a company without any data', async () => {
    await analysis.service.run(company, { runKey: '2026-06-01' });
    expect(await document(DOCUMENTS.patterns)).toEqual([]);
    expect(await document(DOCUMENTS.bandit)).toMatchObject({
      arms: [],
      data_as_of: '2026-01-01T00:00:00.000Z',
    });
    expect(await document(DOCUMENTS.chunks)).toMatchObject({
      summary: { total: 11, available: 0, lastUpdated: null },
    });
    expect(await document(DOCUMENTS.drift)).toMatchObject({ channels: [], newest_outcome_at: null });
    expect((await documents()).filter((row) => row.document.startsWith('analysis/'))).toEqual([]);
  });

  it('keeps what stood when it is cut off while writing, and then does the same as an undisturbed run', async () => {
    await withHistory();
    await analysis.service.run(company, { runKey: '2026-06-01' });
    const before = await documents();
    await storeRows(database, company, plannedRows({ seed: 2, days: 20, sendsPerDay: 60, firstDay: 20_700 }));
    const lock = () =>
      database.query(`SELECT pg_advisory_lock(hashtextextended('analysis.${company.companyId}', 0))`);
    await lock();
    const unlock = () =>
      database.query(`SELECT pg_advisory_unlock(hashtextextended('analysis.${company.companyId}', 0))`);
    const cutOff = analysis.service.run(company, { runKey: '2026-06-02' }).catch((error: unknown) => error);
    // The run first waits for the lock to begin, and then to publish: let it begin, and end it at the second.
    const waiting = async () => (await waitingForLock(database, 'advisory'))[0];
    await waitUntil('the run to wait at its start', waiting);
    await unlock();
    await waitUntil('the run to have begun', async () => (await runs()).length === 2);
    await lock();
    const blocked = await waitUntil('the run to wait before it publishes', waiting);
    await database.query('SELECT pg_terminate_backend($1)', [blocked]);
    expect(await cutOff).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await unlock();

    expect(await documents()).toEqual(before);
    const broken = (await runs())[1];
    expect(broken).toMatchObject({ state: 'failed', failure_code: 'SERVICE_UNAVAILABLE' });

    expect(await analysis.service.run(company, { runKey: '2026-06-02' })).toEqual({
      runId: broken?.run_id,
      state: 'succeeded',
    });
    const resumed = timeless(await documents());
    await analysis.service.run(company, { runKey: '2026-06-03' });
    expect(timeless(await documents())).toEqual(resumed);
    expect(resumed).not.toEqual(timeless(before));
  });

  it('records why it failed and leaves earlier documents', async () => {
    await withHistory();
    await analysis.service.run(company, { runKey: '2026-06-01' });
    const before = await documents();
    // Counts that cannot be: more replies than messages.
    await database.query('UPDATE cohort_counts SET replies = touches + 1 WHERE company_id = $1', [
      company.companyId,
    ]);
    await expect(analysis.service.run(company, { runKey: '2026-06-02' })).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
    expect(await documents()).toEqual(before);
    expect((await runs())[1]).toMatchObject({ state: 'failed', failure_code: 'INTERNAL_ERROR' });
  });

  it('is one run when it is asked for twice at the same time', async () => {
    await withHistory();
    const results = await Promise.all([
      analysis.service.run(company, { runKey: '2026-06-01' }),
      analysis.service.run(company, { runKey: '2026-06-01' }),
      analysis.service.run(company, { runKey: '2026-06-01' }),
    ]);
    expect(new Set(results.map(({ runId }) => runId)).size).toBe(1);
    expect(await runs()).toEqual([expect.objectContaining({ state: 'succeeded' })]);
    const stored = await documents();
    expect(new Set(stored.map((row) => row.run_id))).toEqual(new Set([results[0].runId]));
  });

  it('does not put older findings over those of a run that began later', async () => {
    await withHistory();
    const slow = await analysis.runs.begin(company, '2026-06-01', new Date('2026-06-01T02:00:00Z'));
    const quick = await analysis.service.run(company, { runKey: '2026-06-02' });
    const before = await documents();
    const stale = {
      documents: () => [{ document: DOCUMENTS.patterns, body: '"stale"', etag: 'x' }],
      evidence: null,
      notes: NOTHING_NOTED,
      channels: [],
      messages: 0,
      campaigns: null,
    };
    await analysis.runs.publish(company, slow, stale, new Date('2026-06-02T03:00:00Z'));
    expect(await documents()).toEqual(before);
    expect(before[0]?.run_id).toBe(quick.runId);
    expect((await runs()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  it('orders runs by the database, whatever the clocks of the processes say', async () => {
    await withHistory();
    const fast = await analysis.runs.begin(company, 'growth-a', new Date('2026-06-01T02:05:00Z'));
    const found = {
      documents: () => [{ document: DOCUMENTS.patterns, body: '"fast"', etag: 'x' }],
      evidence: null,
      notes: NOTHING_NOTED,
      channels: [],
      messages: 0,
      campaigns: null,
    };
    await analysis.runs.publish(company, fast, found, new Date('2026-06-01T02:05:01Z'));
    const at = new Date('2026-06-01T02:00:00Z');
    const right = await analysis.runs.begin(company, 'erasure-a', at);
    const after = {
      ...found,
      documents: () => [{ document: DOCUMENTS.patterns, body: '"right"', etag: 'y' }],
    };
    await analysis.runs.publish(company, right, after, at);
    expect(await documents()).toEqual([expect.objectContaining({ body: '"right"', run_id: right.runId })]);
  });

  it('rests on data no older than what stands, whatever is left of the batches', async () => {
    await withHistory();
    await analysis.service.run(company, { runKey: '2026-06-01' });
    await database.query('DELETE FROM ingest_batches WHERE company_id = $1', [company.companyId]);
    const { runId } = await analysis.service.run(company, { runKey: 'erasure-a' });
    const stored = await documents();
    expect(new Set(stored.map((row) => row.run_id))).toEqual(new Set([runId]));
    expect(stored[0]?.data_as_of).toEqual(new Date('2026-06-01T01:00:00Z'));
  });

  it('is over no earlier than its data came, though the clock of its process is behind', async () => {
    await withHistory();
    await storeProcessedBatch(database, company, '2029-01-01T00:00:00Z');
    await analysis.service.run(company, { runKey: '2029-01-01' });
    expect((await runs())[0]?.finished_at).toEqual(new Date('2029-01-01T00:00:00Z'));
    expect(await document(DOCUMENTS.frame)).toMatchObject({
      ...{ analysed_at: '2029-01-01T00:00:00.000Z', data_as_of: '2029-01-01T00:00:00.000Z' },
    });
  });

  it('does not take a run over nothing for the first run', async () => {
    await analysis.service.run(company, { runKey: '2026-05-31' });
    await withHistory();
    expect(await analysis.service.refreshArms(company)).toBe(false);
    await analysis.service.run(company, { runKey: 'first' });
    expect(await analysis.service.refreshArms(company)).toBe(true);
  });

  it('refreshes the arms alone, and only where a run has been', async () => {
    await withHistory();
    expect(await analysis.service.refreshArms(company)).toBe(false);
    expect(await documents()).toEqual([]);
    await analysis.service.run(company, { runKey: 'first' });
    const before = timeless(await documents());

    await storeProcessedBatch(database, company, '2026-06-02T09:00:00Z');
    await storeRows(database, company, plannedRows({ seed: 3, days: 1, sendsPerDay: 200, firstDay: 20_620 }));
    expect(await analysis.service.refreshArms(company)).toBe(true);

    const after = await documents();
    const changed = timeless(after).filter((row, index) => row.etag !== before[index]?.etag);
    expect(changed.map(({ name }) => name)).toEqual([DOCUMENTS.bandit]);
    expect(await document(DOCUMENTS.bandit)).toMatchObject({ data_as_of: '2026-06-02T09:00:00.000Z' });

    await storeRows(database, company, plannedRows({ seed: 4, days: 1, sendsPerDay: 50, firstDay: 20_621 }));
    expect(await analysis.service.refreshArms(company, { onlyIfStale: true })).toBe(true);
    expect(await documents()).toEqual(after);
    await storeProcessedBatch(database, company, '2026-06-02T10:00:00Z');
    expect(await analysis.service.refreshArms(company, { onlyIfStale: true })).toBe(true);
    expect(await document(DOCUMENTS.bandit)).toMatchObject({ data_as_of: '2026-06-02T10:00:00.000Z' });
  });

  describe('and what was planned', () => {
    const HOUR_MS = 3_600_000;
    const plan = async () => {
      const [row] = await database.query<{
        messages: number | null;
        begun_at: Date;
        analysed_at: Date;
        daily_since: Date | null;
        unanalysed_since: Date | null;
        growth_at_most: number;
        next_at: Date | null;
      }>('SELECT * FROM analysis_plans WHERE company_id = $1', [company.companyId]);
      if (row === undefined) throw new Error('a run leaves a plan');
      return row;
    };
    /** As ingestion notes what it has counted: it waits for an hour, and is to be analysed in another. */
    const countMore = () =>
      database.query(
        `INSERT INTO analysis_plans (company_id, revision, unanalysed_since, growth_at_most, next_at)
         VALUES ($1, 1, now() - interval '1 hour', 70, now() + interval '1 hour')
         ON CONFLICT (company_id) DO UPDATE SET revision = analysis_plans.revision + 1,
           unanalysed_since = excluded.unanalysed_since, growth_at_most = 70, next_at = excluded.next_at`,
        [company.companyId],
      );
    const settled = { unanalysed_since: null, growth_at_most: 0, next_at: null };

    it('is settled by the run that read it, and a daily run over messages ends the first day', async () => {
      await withHistory();
      await countMore();
      await analysis.service.run(company, { runKey: 'first' });
      const messages = HISTORY.reduce((sum, { touches }) => sum + touches, 0);
      const first = await plan();
      expect(first).toMatchObject({ ...settled, messages, daily_since: null });
      expect(first.analysed_at.getTime()).toBeGreaterThan(first.begun_at.getTime());
      await analysis.service.run(company, { runKey: '2026-06-02' });
      const second = await plan();
      expect(second).toMatchObject({ ...settled, daily_since: expect.any(Date) });
      expect(second.analysed_at.getTime()).toBeGreaterThan(first.analysed_at.getTime());
      await analysis.service.run(company, { runKey: '2026-06-03' });
      expect((await plan()).daily_since).toEqual(second.daily_since);
    });

    it('is settled by a run over nothing too, which does not end the first day', async () => {
      await countMore();
      await analysis.service.run(company, { runKey: '2026-06-02' });
      expect(await plan()).toMatchObject({ ...settled, messages: 0, daily_since: null });
    });

    it('stays due where more was counted since the run began, and sooner where it had nothing to read', async () => {
      const publish = async (runKey: string, messages: number) => {
        const begun = await analysis.runs.begin(company, runKey, new Date('2026-06-01T02:00:00Z'));
        await countMore();
        const found = {
          documents: () => [],
          evidence: null,
          notes: NOTHING_NOTED,
          channels: [],
          campaigns: null,
        };
        await analysis.runs.publish(company, begun, { ...found, messages }, new Date('2026-06-01T02:01:00Z'));
        return plan();
      };
      const some = await publish('growth-a', 12);
      expect(some).toMatchObject({ messages: 12, growth_at_most: 70, daily_since: null });
      // What it read is analysed: what was counted since waits since then.
      expect(some.unanalysed_since).toEqual(some.begun_at);
      expect(some.next_at?.getTime()).toBeGreaterThan(some.analysed_at.getTime() + HOUR_MS / 2);
      const none = await publish('growth-b', 0);
      expect(none).toMatchObject({ messages: 0, growth_at_most: 70 });
      expect((none.next_at?.getTime() ?? 0) - none.analysed_at.getTime()).toBe(5_000);
    });
  });

  describe('of one company beside another', () => {
    it('reads and writes nothing of the other', async () => {
      await withHistory();
      await storeResponders(database, company, [{ recipient: 'a', position: 4, confidence: 0.9 }]);
      const run = await analysis.runs.begin(company, '2026-06-01', new Date('2026-06-01T02:00:00Z'));
      const stranger = await createCompany(database);

      expect((await analysis.cohorts.read(stranger, new Date())).table.size).toBe(0);
      expect((await analysis.cohorts.readForArms(stranger, new Date())).size).toBe(0);
      expect(await analysis.responders.byPosition(stranger)).toEqual([]);
      await analysis.runs.fail(stranger, run, 'INTERNAL_ERROR', new Date());
      await analysis.runs.publish(
        stranger,
        run,
        {
          documents: () => [],
          evidence: null,
          notes: NOTHING_NOTED,
          channels: [],
          messages: 0,
          campaigns: null,
        },
        new Date(),
      );
      expect(await runs()).toEqual([expect.objectContaining({ state: 'running' })]);

      await analysis.service.run(company, { runKey: '2026-06-01' });
      expect(await analysis.runs.document(stranger, DOCUMENTS.patterns)).toBeUndefined();
      expect(await analysis.runs.newestWithData(stranger)).toBeUndefined();
      const before = await documents();
      await analysis.service.run(stranger, { runKey: '2026-06-01' });
      expect(await documents()).toEqual(before);
      expect(JSON.stringify(await documents(stranger))).not.toContain(company.companyId);
    });

    it('is held apart by Postgres even where a statement names the wrong company', async () => {
      await withHistory();
      await analysis.service.run(company, { runKey: '2026-06-01' });
      const stranger = await createCompany(database);
      const seen = await analysis.tenants.transaction(stranger, async ({ client }) => {
        const tables = ['cohort_counts', 'touches', 'analysis_runs', 'snapshots'];
        const counts = [];
        for (const table of tables) {
          counts.push(
            (await client.query(`SELECT 1 FROM ${table} WHERE company_id = $1`, [company.companyId]))
              .rowCount,
          );
        }
        return counts;
      });
      expect(seen).toEqual([0, 0, 0, 0]);
    });
  });

  it('reads counts that are shorter than the list of levels', async () => {
    const [row] = HISTORY;
    if (row === undefined) throw new Error('no history');
    await storeRows(database, company, [
      { ...row, levelTouches: row.levelTouches.slice(0, 5), levelReplies: [] },
    ]);
    const { table } = await analysis.cohorts.read(company, new Date());
    expect(countsByLevel(table, () => 1).map(({ messages }) => messages)).toEqual([
      ...row.levelTouches.slice(0, 5),
      ...new Array<number>(LEVEL_COUNT - 5).fill(0),
    ]);
  });
});

const NOTHING_NOTED: HistoryNotes = {
  digests: [],
  emptied: [],
  standingSums: undefined,
  sums: undefined,
};
