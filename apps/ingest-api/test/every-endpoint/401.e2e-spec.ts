import { expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { ENDPOINTS } from './endpoints';

describe('every endpoint', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS)('answers 401 to nobody: $name', async ({ path, parts }) => {
    const answer = await api.request(path, { ...parts, as: null });
    expectError(answer, 401, 'missing_token');
    expect(answer.headers.get('ratelimit-policy')).toBeTruthy();
  });

  it.each(ENDPOINTS)('answers 401 to a key that is none: $name', async ({ path, parts }) => {
    // Each endpoint another: the sixth failure of one would be told to wait.
    const as = { companyId: '', apiKey: `svc_${parts.method}${path.length}` };
    const answer = await api.request(path, { ...parts, as });
    expectError(answer, 401, 'self_serve_auth_failed');
    expect(answer.body.reason).toBe('INVALID_FORMAT');
  });

  it('takes the key from the Authorization header alone', async () => {
    const headers = { 'X-API-Key': api.tenant.apiKey, 'Content-Type': 'application/json' };
    expectError(await api.request('/ingest/events', { headers, body: '{}', as: null }), 401, 'missing_token');
  });
});
