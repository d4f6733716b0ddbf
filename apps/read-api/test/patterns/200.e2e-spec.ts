import { patternRecord } from '../documents';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /patterns', () => {
  let api: SharedReadApi;
  const records = [patternRecord({ code: 'TA-1', title: '<b>Direct</b>', tier: 3 })];
  beforeAll(async () => {
    api = await shareReadApi();
    await api.plantSnapshot(api.tenant.companyId, 'patterns', records);
  });
  afterAll(() => api.stop());

  it('answers 200 with the records as they are stored', async () => {
    const answer = await api.request('/patterns');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual(records);
    expect(answer.text).toContain(`"data":${JSON.stringify(records)}`);
  });

  it('answers 200 with an empty array where there is no analysis, whatever other tenants have', async () => {
    const tenant = await api.addTenant();
    const answer = await api.as(tenant, '/patterns');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual([]);
    expect(answer.body.message).toMatch(/^No patterns yet: .*POST \/ingest\/events/);
    // Whichever way the request takes through the service.
    const headers = { Authorization: `Bearer ${tenant.apiKey}`, 'If-None-Match': '"another"' };
    expect((await api.request('/patterns', { headers })).body.message).toBe(answer.body.message);
    expect((await api.request('/patterns')).body.message).toBe(
      'Pattern recommendations, strongest evidence first.',
    );
  });

  it('answers HEAD with the headers alone', async () => {
    const headers = { Authorization: `Bearer ${api.tenant.apiKey}` };
    const head = await api.request('/patterns', { method: 'HEAD', headers });
    const get = await api.request('/patterns');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });

  it('consumes one request of the month', async () => {
    const tenant = await api.addTenant();
    await api.as(tenant, '/patterns');
    const second = await api.as(tenant, '/patterns');
    expect(second.headers.get('x-quota-remaining')).toBe('998');
  });
});
