import { anEvent, expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('what is refused', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('is not stored where the key lacks the permission', async () => {
    const reader = await api.addTenant({ permissions: ['analytics_read'] });
    expectError(await api.postEvents(anEvent(), { as: reader }), 403, 'Forbidden');
    expect(await api.events(reader)).toEqual([]);
  });

  it('is not stored where the window is used up', async () => {
    const tenant = await api.addTenant({ burst: 1 });
    for (const recipient_id of ['first', 'second'])
      await api.postEvents(anEvent({ recipient_id }), { as: tenant });
    expect((await api.events(tenant)).map((event) => event.recipient_id)).toEqual(['first']);
  });
});
