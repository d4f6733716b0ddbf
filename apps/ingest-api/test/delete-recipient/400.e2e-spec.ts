import { anEvent, expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('DELETE /ingest/events?recipient_id=', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each(['', '?recipient_id=', '?recipient_id', '?recipient_id=a&recipient_id=b', '/?recipient_id='])(
    'answers 400 where no recipient is named: %j',
    async (query) => {
      const answer = await api.request(`/ingest/events${query}`, { method: 'DELETE' });
      expectError(answer, 400, 'MISSING_RECIPIENT_ID');
    },
  );

  it.each([
    '?recipient=x',
    '?recipient_id=stays&keep_supression=true',
    '?recipient_id=stays&keepSuppression=true',
    '?recipient_id=stays&keep_suppression=yes',
    '?recipient_id=stays&keep_suppression=TRUE',
    '?recipient_id=stays&keep_suppression=1',
    '?recipient_id=stays&keep_suppression=',
    '?recipient_id=stays&keep_suppression',
    '?recipient_id=stays&keep_suppression=true&keep_suppression=true',
    '?recipient_id=stays&keep_suppression[]=true',
  ])('deletes nothing where a parameter is not understood: %j', async (query) => {
    await api.postEvents(anEvent({ recipient_id: 'stays', outcome: 'unsubscribed' }));
    const answer = await api.request(`/ingest/events${query}`, { method: 'DELETE' });
    expectError(answer, 400, 'INVALID_PARAMETER');
    expect(await api.events()).toHaveLength(1);
  });

  it.each(['caf%E9', '100%', 'a%0', 'x'.repeat(257)])(
    'deletes nothing where recipient_id is no text that an event can have: %s',
    async (recipientId) => {
      const answer = await api.request(`/ingest/events?recipient_id=${recipientId}`, { method: 'DELETE' });
      expectError(answer, 400, 'INVALID_PARAMETER');
      expect(answer.body).toMatchObject({ parameter: 'recipient_id' });
    },
  );

  it('takes the longest recipient_id that an event can have', async () => {
    const longest = '\u{1f600}'.repeat(256);
    await api.postEvents(anEvent({ recipient_id: longest }));
    const answer = await api.request(`/ingest/events?recipient_id=${encodeURIComponent(longest)}`, {
      method: 'DELETE',
    });
    expect(answer).toMatchObject({ status: 200, body: { deleted: 1 } });
  });

  it('answers 400 to a NUL character', async () => {
    const answer = await api.request('/ingest/events?recipient_id=a%00b', { method: 'DELETE' });
    expectError(answer, 400, 'INVALID_PARAMETER');
  });
});
