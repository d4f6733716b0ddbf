import { randomUUID } from 'node:crypto';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { AnalysisRequests } from '../plans/analysis-requests.service';
import { IngestStatuses } from './ingest-status.service';

const NOTHING = {
  batches_pending: 0,
  events_pending: 0,
  batches_parked: 0,
  events_waiting: 0,
  newest_event: null,
  last_processed_at: null,
  rebuild_under_way: false,
  unanalysed_since: null,
  analysis: 'idle',
  last_analysis: null,
  next_analysis: { at: null, reason: 'daily' },
};

describe('the status of what a company sent', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.queue.dailyRun = undefined;
    scope = await fixture.newCompany();
  });

  const statuses = () => fixture.api.module.get(IngestStatuses);
  const status = () => statuses().of(scope);
  const count = () => fixture.worker.processing.processPending(scope);
  const plan = (set: string) =>
    fixture.database.query(`UPDATE analysis_plans SET ${set} WHERE company_id = $1`, [scope.companyId]);
  const park = () =>
    fixture.database.query('UPDATE ingest_batches SET failed_attempts = 5 WHERE company_id = $1', [
      scope.companyId,
    ]);

  it('is nothing but the daily run where nothing was sent, also while others send', async () => {
    await fixture.ingest(await fixture.newCompany(), anEvent());
    expect(await status()).toEqual(NOTHING);
    fixture.queue.dailyRun = new Date('2026-06-16T02:00:00Z');
    expect(await status()).toEqual({
      ...NOTHING,
      next_analysis: { at: '2026-06-16T02:00:00.000Z', reason: 'daily' },
    });
  });

  it('goes from stored to counted, and says which analysis comes', async () => {
    await fixture.ingest(scope, anEvent(), anEvent({ recipient_id: 'two' }));
    const newest = { ingested_at: '2026-06-15T12:00:00.000Z', outcome_at: '2026-06-08T09:30:00.000Z' };
    const stored = { ...NOTHING, batches_pending: 1, events_pending: 2, newest_event: newest };
    expect(await status()).toEqual({ ...stored, next_analysis: { at: null, reason: 'first_data' } });
    await count();
    await plan(`counted_at = '2026-06-15T12:00:01Z', unanalysed_since = '2026-06-15T12:00:00Z',
      next_at = '2026-06-15T12:00:06Z'`);
    const counted = {
      ...NOTHING,
      newest_event: newest,
      last_processed_at: '2026-06-15T12:00:01.000Z',
      unanalysed_since: '2026-06-15T12:00:00.000Z',
    };
    const at = '2026-06-15T12:00:06.000Z';
    expect(await status()).toEqual({ ...counted, next_analysis: { at, reason: 'first_data' } });
    await plan(`daily_since = '2026-06-14'`);
    expect(await status()).toEqual({ ...counted, next_analysis: { at, reason: 'growth' } });
    // Past the first day what is not counted yet promises nothing.
    await plan('next_at = NULL');
    await fixture.ingest(scope, anEvent({ recipient_id: 'three' }));
    expect((await status()).next_analysis).toEqual({ at: null, reason: 'daily' });
  });

  it('counts what is parked and what waits for its message apart', async () => {
    await fixture.ingest(scope, anEvent());
    await park();
    await fixture.ingest(
      scope,
      anEvent({ sent_at: undefined, outcome: undefined, fact: 'opened', message_ref: 'm' }),
    );
    await fixture.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [scope.companyId]);
    expect(await status()).toMatchObject({
      ...{
        batches_pending: 1,
        events_pending: 1,
        batches_parked: 1,
        events_waiting: 1,
        rebuild_under_way: true,
      },
      next_analysis: { at: null, reason: 'first_data' },
    });
  });

  it('names the newest run, which runs until its decisions are made', async () => {
    await fixture.ingest(scope, anEvent());
    await count();
    await plan(`next_at = now(), asked_at = now()`);
    expect((await status()).analysis).toBe('queued');
    const [older, newer] = [randomUUID(), randomUUID()];
    const times = { started_at: '2026-06-15T12:01:00.000Z', data_as_of: '2026-06-15T12:00:30.000Z' };
    // By the clock of the database: that of the process which began the older one was two days ahead.
    for (const [id, started, begun] of [
      [newer, times.started_at, '2026-06-15T12:01:00Z'],
      [older, '2026-06-16T12:01:00Z', '2026-06-14T12:01:00Z'],
    ])
      await fixture.database.query(
        `INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at, finished_at, begun_at)
         VALUES ($1, $2::uuid, $2::uuid::text, 'succeeded', 'x', $3, $4, '2026-06-15T12:02:00Z', $5)`,
        [scope.companyId, id, times.data_as_of, started, begun],
      );
    const run = { run_id: newer, ...times };
    expect(await status()).toMatchObject({
      ...{ analysis: 'running', last_analysis: { ...run, state: 'running', finished_at: null } },
    });
    await fixture.database.query('UPDATE analysis_runs SET decisions_made_at = now()');
    await plan('begun_at = now(), next_at = NULL');
    const finished_at = '2026-06-15T12:02:00.000Z';
    expect(await status()).toMatchObject({
      ...{ analysis: 'idle', last_analysis: { ...run, state: 'succeeded', finished_at } },
    });
  });

  it('lists the newest 50 batches, and how many there are', async () => {
    expect(await statuses().batches(scope)).toEqual({ total: 0, batches: [] });
    await fixture.database.query(
      `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at)
       SELECT $1, gen_random_uuid(), '{}', timestamptz '2026-06-01' + n * interval '1 minute' FROM generate_series(1, 51) AS n`,
      [scope.companyId],
    );
    await park();
    fixture.clock.set('2026-06-15T12:00:00Z');
    await fixture.ingest(scope, anEvent(), anEvent({ recipient_id: 'two' }));
    await fixture.ingest(await fixture.newCompany(), anEvent());
    const pending = await statuses().batches(scope);
    const newest = { receivedAt: '2026-06-15T12:00:00.000Z', batchId: expect.any(String) as string };
    expect(pending.total).toBe(52);
    expect(pending.batches).toHaveLength(50);
    expect(pending.batches[0]).toEqual({ ...newest, events: 2, failedAttempts: 0, processedAt: null });
    expect(pending.batches[1]).toMatchObject({ receivedAt: '2026-06-01T00:51:00.000Z', failedAttempts: 5 });
    await count();
    expect((await statuses().batches(scope)).batches[0]).toMatchObject({
      ...{ ...newest, events: null, processedAt: '2026-06-15T12:00:00.000Z' },
    });
  });

  describe('of an analysis that a caller asks for', () => {
    const request = (of = scope) => fixture.api.module.get(AnalysisRequests).request(of);
    const jobs = () => fixture.queue.analyses.filter(({ companyId }) => companyId === scope.companyId);

    it('is queued until the run that the answer names has succeeded', async () => {
      const { run_key, ...answer } = await request();
      expect([run_key, answer]).toEqual([
        expect.stringMatching(/^requested-[0-9a-f-]{36}$/),
        { status: 'queued' },
      ]);
      expect(jobs()).toEqual([{ companyId: scope.companyId, runKey: run_key }]);
      expect(await status()).toMatchObject({
        ...{ analysis: 'queued', next_analysis: { at: expect.any(String) as string, reason: 'requested' } },
      });
      await fixture.worker.reanalyses.succeeded(scope, run_key);
      expect(await status()).toMatchObject({ analysis: 'idle', next_analysis: { reason: 'daily' } });
    });

    it('is refused for five minutes after another, and to no other company', async () => {
      await request();
      const [again] = await Promise.allSettled([request()]);
      expect(again).toMatchObject({ reason: { code: 'ANALYSIS_REQUESTED_RECENTLY' } });
      const { headers } = (again as { reason: { headers: Record<string, string> } }).reason;
      expect(Number(headers['Retry-After'])).toBeGreaterThan(290);
      expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(300);
      expect(jobs()).toHaveLength(1);
      await plan(`requested_at = requested_at - interval '5 minutes'`);
      expect((await request()).status).toBe('queued');
      expect((await request(await fixture.newCompany())).status).toBe('queued');
    });

    it('stays that of a deletion, whose run carries nothing over', async () => {
      await fixture.ingest(scope, anEvent());
      await fixture.api.ingestion.deleteRecipient(scope, 'prospect-1');
      expect((await request()).run_key).toMatch(/^erasure-/);
    });
  });
});
