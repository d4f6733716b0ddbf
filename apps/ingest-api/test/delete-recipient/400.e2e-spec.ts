import { expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('DELETE /ingest/events?recipient_id=', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    '',
    '?recipient_id=',
    '?recipient_id',
    '?recipient=x',
    '?recipient_id=a&recipient_id=b',
    '/?recipient_id=',
  ])('answers 400 where no recipient is named: %j', async (query) => {
    const answer = await api.request(`/ingest/events${query}`, { method: 'DELETE' });
    expectError(answer, 400, 'MISSING_RECIPIENT_ID');
  });

  it('answers 400 to a NUL character', async () => {
    const answer = await api.request('/ingest/events?recipient_id=a%00b', { method: 'DELETE' });
    expectError(answer, 400, 'INVALID_PARAMETER');
  });
});
