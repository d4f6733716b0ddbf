import { anEvent, expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { ENDPOINTS } from './endpoints';

describe('every endpoint', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS)(
    'answers 403 to a key without its permission: $name',
    async ({ path, parts, permission }) => {
      const others = (['analytics_read', 'events_write', 'events_delete'] as const).filter(
        (held) => held !== permission,
      );
      const without = await api.addTenant({ permissions: others });
      expectError(await api.request(path, { ...parts, as: without }), 403, 'Forbidden');
      const only = await api.addTenant({ permissions: [permission] });
      expect((await api.request(path, { ...parts, as: only })).status).not.toBe(403);
    },
  );

  it('stores and deletes nothing for such a key', async () => {
    const reader = await api.addTenant({ permissions: ['analytics_read'] });
    await api.postEvents(anEvent(), { as: reader });
    expect(await api.events(reader)).toEqual([]);
  });
});
