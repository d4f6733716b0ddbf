import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /intelligence/audit', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
    await api.database.query(
      `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
        latency_ms, input_sha256, output_sha256, request_id)
      SELECT $1, gen_random_uuid(), now() - n * interval '1 minute', 'KEY', 'agent', 'agent-7', 'get_bandit_state',
        'success', 3.5, sha256('in'), sha256('out'), 'r' FROM generate_series(1, 3) AS n`,
      [api.tenant.companyId],
    );
  });
  afterAll(() => api.stop());

  it('answers 200 page by page with the totals over all pages', async () => {
    const first = await api.request('/intelligence/audit?limit=2&tool=get_bandit_state&status=success');
    expectEnvelope(first);
    expect(first.body.data).toMatchObject({
      entry_count: 2,
      total_count: 3,
      tool_breakdown: { get_bandit_state: 3 },
      error_rate: 0,
    });
    const query = `limit=2&cursor=${encodeURIComponent(first.body.data.next_cursor)}`;
    const second = await api.request(`/intelligence/audit?${query}`);
    expect(second.body.data).toMatchObject({ entry_count: 1, total_count: 3, next_cursor: null });
  });

  it("answers 200 without another tenant's calls, and refuses its cursor", async () => {
    const other = await api.addTenant();
    const page = await api.request('/intelligence/audit?limit=1');
    expect((await api.as(other, '/intelligence/audit')).body.data.total_count).toBe(0);
    const cursor = encodeURIComponent(page.body.data.next_cursor);
    expect((await api.as(other, `/intelligence/audit?cursor=${cursor}`)).status).toBe(400);
  });
});
