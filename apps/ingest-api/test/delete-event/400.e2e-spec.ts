import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('DELETE /ingest/events/{event_id}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    'x',
    '1',
    '%00',
    '6e38e32870eb46579c91f5b5b68b0ec4',
    '%7B6e38e328-70eb-4657-9c91-f5b5b68b0ec4%7D',
  ])('answers 400 to an id that is no UUID: %s', async (id) => {
    const answer = await api.request(`/ingest/events/${id}`, { method: 'DELETE' });
    expectError(answer, 400, 'INVALID_EVENT_ID');
  });
});
