import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /health', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with who the caller is, what it has left and what works', async () => {
    const answer = await api.request('/health');
    expectEnvelope(answer, true);
    expect(answer.body.data).toEqual({
      status: 'healthy',
      service: 'outcomes-read-api',
      version: '1.0.0',
      timestamp: expect.stringMatching(/Z$/),
      authentication: {
        companyId: api.tenant.companyId,
        portalId: null,
        permissions: ['analytics_read', 'events_write', 'events_delete'],
        authenticated: true,
      },
      rateLimiting: { remaining: 199, windowMinutes: 15, maxRequests: 200 },
      services: { database: 'operational', rateLimit: 'operational', audit: 'operational' },
      environment: { stage: 'test', region: 'here' },
    });
  });

  it('is another answer each time, whatever a caller has of one before', async () => {
    const tenant = await api.addTenant();
    const first = await api.as(tenant, '/health');
    const known = first.headers.get('etag') ?? '*';
    for (const etag of [known, '*', 'W/"any"']) {
      const headers = { Authorization: `Bearer ${tenant.apiKey}`, 'If-None-Match': etag };
      const again = await api.request('/health', { headers });
      expectEnvelope(again, true);
      expect(again.body.data.rateLimiting.remaining).toBeLessThan(first.body.data.rateLimiting.remaining);
    }
  });

  it('needs no permission, and takes the key in X-API-Key too', async () => {
    const tenant = await api.addTenant({ permissions: ['events_write'] });
    const answer = await api.request('/health', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.authentication.permissions).toEqual(['events_write']);
  });

  it('consumes the burst window and never the month', async () => {
    const tenant = await api.addTenant();
    const first = await api.as(tenant, '/health');
    const second = await api.as(tenant, '/health');
    expect(second.body.data.rateLimiting.remaining).toBe(first.body.data.rateLimiting.remaining - 1);
    expect(second.headers.get('x-quota-remaining')).toBe('1000');
  });
});
