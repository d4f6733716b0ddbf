import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('DELETE /ingest/events?recipient_id=', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const remove = (recipientId: string) =>
    api.request(`/ingest/events?recipient_id=${encodeURIComponent(recipientId)}`, { method: 'DELETE' });

  it('answers 200 with how many events went, and 0 is a success', async () => {
    const recipient_id = 'CRM/42 & "more" ü';
    const events = [0, 1, 2].map((step) => anEvent({ recipient_id, sequence_step: step }));
    await api.postEvents({ events: [...events, anEvent()] });
    const first = await remove(recipient_id);
    expect([first.status, first.body]).toEqual([200, { deleted: 3, recipient_id, suppression: 'none' }]);
    const second = await remove(recipient_id);
    expect([second.status, second.body]).toEqual([200, { deleted: 0, recipient_id, suppression: 'none' }]);
    expect(await api.events()).toHaveLength(1);
  });

  it.each([
    ['', 'removed'],
    ['&keep_suppression=false', 'removed'],
    ['&keep_suppression=true', 'kept'],
  ])('says what became of the opt-out: %j', async (query, suppression) => {
    await api.postEvents(anEvent({ recipient_id: 'gone', outcome: 'unsubscribed' }));
    const answer = await api.request(`/ingest/events?recipient_id=gone${query}`, { method: 'DELETE' });
    expect(answer.body).toEqual({ deleted: 1, recipient_id: 'gone', suppression });
    // Once more removes what was kept.
    const again = await api.request('/ingest/events?recipient_id=gone', { method: 'DELETE' });
    expect(again.body).toMatchObject({
      deleted: 0,
      suppression: suppression === 'kept' ? 'removed' : 'none',
    });
  });

  it('leaves the same recipient_id of another company alone', async () => {
    const other = await api.addTenant();
    await api.postEvents(anEvent({ recipient_id: 'both' }), { as: other });
    expect((await remove('both')).body).toEqual({
      deleted: 0,
      recipient_id: 'both',
      suppression: 'none',
    });
    expect(await api.events(other)).toHaveLength(1);
  });
});
