import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('DELETE /ingest/events?recipient_id=', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  const remove = (recipientId: string) =>
    api.request(`/ingest/events?recipient_id=${encodeURIComponent(recipientId)}`, { method: 'DELETE' });

  it('answers 200 with how many events went, and 0 is a success', async () => {
    const recipient_id = 'CRM/42 & "more" ü';
    const events = [0, 1, 2].map((step) => anEvent({ recipient_id, sequence_step: step }));
    await api.postEvents({ events: [...events, anEvent()] });
    const first = await remove(recipient_id);
    expect([first.status, first.body]).toEqual([200, { deleted: 3, recipient_id }]);
    const second = await remove(recipient_id);
    expect([second.status, second.body]).toEqual([200, { deleted: 0, recipient_id }]);
    expect(await api.events()).toHaveLength(1);
  });

  it('leaves the same recipient_id of another company alone', async () => {
    const other = await api.addTenant();
    await api.postEvents(anEvent({ recipient_id: 'both' }), { as: other });
    expect((await remove('both')).body).toEqual({ deleted: 0, recipient_id: 'both' });
    expect(await api.events(other)).toHaveLength(1);
  });
});
