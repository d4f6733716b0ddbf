import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('GET /health', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 401 without a key, with the rate-limit headers of the address', async () => {
    const answer = await api.request('/health', { headers: {} });
    expectError(answer, 401, 'missing_token');
    for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy']) {
      expect(answer.headers.get(header)).toMatch(/^\d/);
    }
  });

  it('answers 401 with the reason where the key is not valid', async () => {
    const answer = await api.request('/health', { headers: { Authorization: 'Bearer svc_nonsense' } });
    expectError(answer, 401, 'self_serve_auth_failed');
    expect(answer.body.reason).toBe('INVALID_FORMAT');
  });
});
