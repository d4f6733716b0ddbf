import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/analysis', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 429 to a second request within five minutes, whatever the key, and to no other company', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const ask = (as = tenant) => api.request('/ingest/analysis', { as });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429]);
    const refused = await ask();
    expectError(refused, 429, 'ANALYSIS_REQUESTED_RECENTLY');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(240);
    expect(seconds).toBeLessThanOrEqual(300);
    expect((await ask(other)).status).toBe(202);

    const age = (interval: string) =>
      api.database.query(
        `UPDATE analysis_plans SET requested_at = clock_timestamp() - interval '${interval}' WHERE company_id = $1`,
        [tenant.companyId],
      );
    await age('4 minutes 50 seconds');
    expect(Number((await ask()).headers.get('retry-after'))).toBeLessThanOrEqual(10);
    await age('5 minutes');
    expect((await ask()).status).toBe(202);
  });

  it('answers 429 when the window is used up, with Retry-After', async () => {
    const as = await api.addTenant({ burst: 1 });
    expect((await api.request('/ingest/analysis', { as })).status).toBe(202);
    expectError(await api.request('/ingest/analysis', { as }), 429, 'RATE_LIMITED');
  });
});
