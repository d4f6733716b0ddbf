import { randomUUID } from 'node:crypto';
import type { Tenant } from '@outcomes/testing';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('GET /ingest/status', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const status = async (as: Tenant) => {
    const { status, body } = await api.request('/ingest/status', { method: 'GET', as });
    expect(status).toBe(200);
    return body as Record<string, unknown>;
  };
  const send = (as: Tenant, from: number, to: number) =>
    api.postEvents(
      { events: Array.from({ length: to - from }, (_, n) => anEvent({ recipient_id: `r-${from + n}` })) },
      { as },
    );
  /** What the worker writes when it has counted what is pending. */
  const count = async ({ companyId }: Tenant) => {
    await api.database.query(
      `UPDATE ingest_batches SET processed_at = now(), event_ids = '{}', fold_version = 2 WHERE company_id = $1`,
      [companyId],
    );
    await api.database.query(
      `INSERT INTO analysis_plans (company_id, revision, counted_at, newest_received_at, newest_outcome_at,
         unanalysed_since, next_at)
       SELECT $1, 1, '2026-06-01T10:00:00Z', max(received_at), '2026-01-08T09:30:00Z', '2026-06-01T09:59:00Z', '2026-06-01T10:00:05Z'
       FROM ingest_batches WHERE company_id = $1
       ON CONFLICT (company_id) DO UPDATE SET newest_received_at = excluded.newest_received_at`,
      [companyId],
    );
  };

  it('answers 200 to a company that has sent nothing', async () => {
    expect(await status(await api.addTenant())).toEqual({
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
    });
  });

  it('tells what is stored and not counted, and knows the newest event', async () => {
    const tenant = await api.addTenant();
    await send(tenant, 0, 3);
    await api.postEvents(anEvent({ recipient_id: 'last', outcome_at: '2026-01-09T00:00:00Z' }), {
      as: tenant,
    });
    await api.database.query(
      `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, failed_attempts)
       VALUES ($1, gen_random_uuid(), '{}', '2026-01-01', 5)`,
      [tenant.companyId],
    );
    expect(await status(tenant)).toMatchObject({
      batches_pending: 2,
      events_pending: 4,
      batches_parked: 1,
      newest_event: { outcome_at: '2026-01-09T00:00:00.000Z', ingested_at: expect.stringMatching(/Z$/) },
      last_processed_at: null,
      next_analysis: { at: null, reason: 'first_data' },
    });
    // Another company's events are not in it.
    expect(await status(await api.addTenant())).toMatchObject({ events_pending: 0, newest_event: null });
  });

  it('tells what is counted and when it is analysed, and forgets no newest event', async () => {
    const tenant = await api.addTenant();
    await send(tenant, 0, 3);
    await count(tenant);
    expect(await status(tenant)).toMatchObject({
      batches_pending: 0,
      events_pending: 0,
      newest_event: { outcome_at: '2026-01-08T09:30:00.000Z' },
      last_processed_at: '2026-06-01T10:00:00.000Z',
      unanalysed_since: '2026-06-01T09:59:00.000Z',
      analysis: 'idle',
      next_analysis: { at: '2026-06-01T10:00:05.000Z', reason: 'first_data' },
    });
    // What is stored later and not counted yet is newer.
    await api.postEvents(anEvent({ recipient_id: 'later', outcome_at: '2026-01-07T00:00:00Z' }), {
      as: tenant,
    });
    expect(await status(tenant)).toMatchObject({
      events_pending: 1,
      newest_event: { outcome_at: '2026-01-07T00:00:00.000Z' },
    });
  });

  it('says growth after the first day, and whether an analysis waits or runs', async () => {
    const tenant = await api.addTenant();
    await send(tenant, 0, 3);
    await count(tenant);
    await api.database.query(
      `UPDATE analysis_plans SET daily_since = '2026-05-01', asked_at = '2026-06-01T10:00:06Z',
         next_at = '2026-06-01T10:01:06Z' WHERE company_id = $1`,
      [tenant.companyId],
    );
    // It was asked for after everything was counted: that one is the next.
    const next_analysis = { at: '2026-06-01T10:00:06.000Z', reason: 'growth' };
    expect(await status(tenant)).toMatchObject({ analysis: 'queued', next_analysis });
    const runId = randomUUID();
    await api.database.query(
      `INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at, finished_at)
       VALUES ($1, $2, 'growth-1', 'succeeded', 'x', '2026-06-01T09:00:00Z', '2026-06-01T10:00:07Z',
         '2026-06-01T10:00:08Z')`,
      [tenant.companyId, runId],
    );
    await api.database.query(
      `UPDATE analysis_plans SET begun_at = '2026-06-01T10:00:07Z', next_at = NULL, unanalysed_since = NULL
       WHERE company_id = $1`,
      [tenant.companyId],
    );
    const run = {
      run_id: runId,
      started_at: '2026-06-01T10:00:07.000Z',
      data_as_of: '2026-06-01T09:00:00.000Z',
    };
    // Its documents are out, its decisions are not made yet.
    expect(await status(tenant)).toMatchObject({
      analysis: 'running',
      last_analysis: { ...run, state: 'running', finished_at: null },
    });
    await api.database.query('UPDATE analysis_runs SET decisions_made_at = now() WHERE company_id = $1', [
      tenant.companyId,
    ]);
    expect(await status(tenant)).toMatchObject({
      analysis: 'idle',
      unanalysed_since: null,
      last_analysis: { ...run, state: 'succeeded', finished_at: '2026-06-01T10:00:08.000Z' },
      next_analysis: { reason: 'daily' },
    });
  });

  it('counts events that wait for their message, and tells of a rebuild', async () => {
    const tenant = await api.addTenant();
    await send(tenant, 0, 3);
    await api.database.query(
      `UPDATE outcome_events SET sent_at = NULL, touch_id = NULL WHERE company_id = $1 AND recipient_id <> 'r-0'`,
      [tenant.companyId],
    );
    await api.database.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [tenant.companyId]);
    expect(await status(tenant)).toMatchObject({ events_waiting: 2, rebuild_under_way: true });
  });

  it('uses up nothing of the month', async () => {
    const { headers } = await api.request('/ingest/status', { method: 'GET', as: await api.addTenant() });
    expect(headers.get('x-quota-remaining')).toBe(headers.get('x-quota-limit'));
  });
});
