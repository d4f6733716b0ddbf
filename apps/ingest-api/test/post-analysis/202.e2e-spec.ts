import type { Tenant } from '@outcomes/testing';
import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/analysis', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const requests = ({ companyId }: Tenant) =>
    api.database.query<{ key: string }>(
      `SELECT reason || '-' || request_id AS key FROM reanalysis_requests WHERE company_id = $1`,
      [companyId],
    );

  it('answers 202, and the request stands in Postgres under the key that it names', async () => {
    const tenant = await api.addTenant();
    const answer = await api.request('/ingest/analysis', { as: tenant });
    expect([answer.status, answer.body]).toEqual([
      202,
      { run_key: expect.stringMatching(/^requested-[\w-]{36}$/), status: 'queued' },
    ]);
    expect(await requests(tenant)).toEqual([{ key: answer.body.run_key }]);
    const { body } = await api.request('/ingest/status', { method: 'GET', as: tenant });
    expect(body).toMatchObject({ analysis: 'queued', next_analysis: { reason: 'requested' } });
  });

  it('leaves a request of a deletion one of a deletion, whose run carries nothing over', async () => {
    const tenant = await api.addTenant();
    await api.database.query(
      `INSERT INTO reanalysis_requests (company_id, request_id, requested_at)
       VALUES ($1, gen_random_uuid(), now() - interval '1 minute')`,
      [tenant.companyId],
    );
    const answer = await api.request('/ingest/analysis', { as: tenant });
    expect(answer.body.run_key).toMatch(/^erasure-/);
    expect(await requests(tenant)).toEqual([{ key: answer.body.run_key }]);
  });
});
