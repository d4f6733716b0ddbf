import { randomUUID } from 'node:crypto';
import { anEvent, expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('DELETE /ingest/events/{event_id}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 404 alike to an event that never was and to one of another company', async () => {
    const event_id = randomUUID();
    const other = await api.addTenant();
    await api.postEvents(anEvent({ event_id }), { as: other });
    const foreign = await api.request(`/ingest/events/${event_id}`, { method: 'DELETE' });
    const missing = await api.request(`/ingest/events/${randomUUID()}`, { method: 'DELETE' });
    expectError(foreign, 404, 'EVENT_NOT_FOUND');
    const comparable = ({ body }: typeof foreign) => ({ ...body, requestId: '', timestamp: '' });
    expect(comparable(foreign)).toEqual(comparable(missing));
    expect(await api.events(other)).toHaveLength(1);
  });
});
