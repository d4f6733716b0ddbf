import { bearer } from '@outcomes/testing';
import { ENDPOINTS } from '../endpoints';
import { expectError } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('every endpoint', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
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
