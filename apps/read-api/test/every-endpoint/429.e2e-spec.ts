import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('every endpoint', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 429 beyond the burst limit, with Retry-After, and takes nothing from the month', async () => {
    const tenant = await api.addTenant({ burst: 2 });
    await api.as(tenant, '/patterns');
    const last = await api.as(tenant, '/intelligence/bandit');
    const refused = await api.as(tenant, '/intelligence/drift');
    expectError(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('x-quota-remaining')).toBe(last.headers.get('x-quota-remaining'));
  });
});
