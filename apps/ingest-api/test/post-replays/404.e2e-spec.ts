import { expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('POST /ingest/replays', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 404 to a source that is none', async () => {
    const answer = await api.request(`/ingest/replays?source=src_${'0'.repeat(22)}`);
    expectError(answer, 404, 'SOURCE_NOT_FOUND');
  });
});
