import { anEvent, expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each(['', '{', '[[[', '{"events":[1,]}', '\u0000'])('answers 400 to broken JSON: %j', async (body) => {
    expectError(await api.postEvents({}, { body }), 400, 'INVALID_JSON');
  });

  it.each(['[]', 'null', '"x"', '{"events":1}', '{"events":[],"extra":1}'])(
    'answers 400 to another shape: %s',
    async (body) => {
      expectError(await api.postEvents({}, { body }), 400, 'INVALID_REQUEST');
    },
  );

  it('answers 400 to three million brackets, and goes on answering others meanwhile', async () => {
    const [hostile, other] = await Promise.all([
      api.postEvents({}, { body: '['.repeat(3_000_000) }),
      api.postEvents(anEvent({ recipient_id: 'meanwhile' })),
    ]);
    expectError(hostile, 400, 'INVALID_REQUEST');
    expect(other.status).toBe(202);
  });

  it.each([
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ['no gzip, though it says so', Buffer.from('{}'), { 'Content-Encoding': 'gzip' }],
  ])('answers 400 to a body that is %s', async (_, body, headers) => {
    expectError(await api.postEvents({}, { body, headers }), 400, 'INVALID_ENCODING');
  });

  it('stores nothing of a request that it refuses', async () => {
    const tenant = await api.addTenant();
    await api.postEvents({ events: [anEvent()], extra: 1 }, { as: tenant });
    expect(await api.events(tenant)).toEqual([]);
  });
});
