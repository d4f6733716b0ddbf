import { expectError } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('every endpoint with data', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    // One connection, which the test takes away.
    api = await startReadApi({ environment: { DATABASE_STATEMENT_TIMEOUT_MS: '300' } });
  });
  afterAll(() => api.stop());

  it('answers 503 with Retry-After while the database does not answer, and says nothing of it', async () => {
    expect((await api.request('/patterns')).status).toBe(200);
    await api.database.query('BEGIN');
    await api.database.query('LOCK TABLE snapshots IN ACCESS EXCLUSIVE MODE');
    const answer = await api.request('/patterns');
    await api.database.query('ROLLBACK');
    expectError(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/postgres|statement|snapshots|timeout/i);
    expect((await api.request('/patterns')).status).toBe(200);
  });
});
