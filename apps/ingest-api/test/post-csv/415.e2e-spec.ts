import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('POST /ingest/csv', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each(['application/json', 'text/plain', 'text/csv; charset=windows-1252'])(
    'answers 415 to the media type %s',
    async (type) => {
      const answer = await api.postCsv('channel\n', { headers: { 'Content-Type': type } });
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(answer.body.message).toContain('text/csv');
    },
  );
});
