import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('GET /ingest/status', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 400 to a parameter, and names it', async () => {
    const answer = await api.request('/ingest/status?company_id=x', { method: 'GET' });
    expectError(answer, 400, 'INVALID_PARAMETER');
    expect(answer.body.parameter).toBe('company_id');
  });

  it('answers 400 to an actor that is none', async () => {
    const headers = { 'X-Actor-Type': 'robot' };
    expectError(await api.request('/ingest/status', { method: 'GET', headers }), 400, 'INVALID_ACTOR');
  });
});
