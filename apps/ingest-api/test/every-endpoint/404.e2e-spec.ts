import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('an address that is none', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each(['/', '/ingest', '/ingest/event', '/v1/ingest/events', '/ingest/csv/x', '/livez', '/metrics'])(
    'is answered with 404: %s',
    async (path) => {
      expectError(await api.request(path, { method: 'GET' }), 404, 'NOT_FOUND');
    },
  );
});
