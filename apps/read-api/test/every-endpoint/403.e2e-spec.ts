import { bearer } from '@outcomes/testing';
import { ENDPOINTS } from '../endpoints';
import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('every endpoint with data', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS.filter((path) => path !== '/health'))(
    'answers 403 to a key without analytics_read: %s',
    async (path) => {
      const tenant = await api.addTenant({ permissions: ['events_write', 'events_delete'] });
      const answer = await api.as(tenant, path);
      expectError(answer, 403, 'Forbidden');
      expect(answer.headers.get('ratelimit-remaining')).toBe('199');
      expect(answer.headers.get('x-quota-remaining')).toBe('1000');
    },
  );

  it('answers 403 to a key that names another tenant than its own', async () => {
    const other = await api.addTenant();
    const answer = await api.request('/patterns', {
      headers: { ...bearer(api.tenant), 'X-Tenant-Id': other.companyId },
    });
    expectError(answer, 403, 'Forbidden');
  });
});
