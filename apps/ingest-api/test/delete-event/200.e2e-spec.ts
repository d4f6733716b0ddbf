import { randomUUID } from 'node:crypto';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('DELETE /ingest/events/{event_id}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 200 and the event is gone', async () => {
    const event_id = randomUUID();
    await api.postEvents({ events: [anEvent({ event_id }), anEvent({ recipient_id: 'stays' })] });
    const answer = await api.request(`/ingest/events/${event_id}`, { method: 'DELETE' });
    expect([answer.status, answer.body]).toEqual([200, { deleted: 1, event_id }]);
    expect((await api.events()).map((event) => event.recipient_id)).toEqual(['stays']);
  });
});
