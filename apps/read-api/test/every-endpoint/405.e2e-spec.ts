import { bearer } from '@outcomes/testing';
import { ENDPOINTS } from '../endpoints';
import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('every endpoint', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS)('answers 405 with Allow to other methods: %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await api.request(path, { method, headers: bearer(api.tenant) });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
  });
});
