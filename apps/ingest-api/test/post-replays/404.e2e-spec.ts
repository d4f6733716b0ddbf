import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/replays', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 404 to a source that is none', async () => {
    const answer = await api.request(`/ingest/replays?source=src_${'0'.repeat(22)}`);
    expectError(answer, 404, 'SOURCE_NOT_FOUND');
  });
});
