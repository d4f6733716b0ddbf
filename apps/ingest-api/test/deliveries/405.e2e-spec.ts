import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, SECRET } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 405 to another method', async () => {
    const { sourceId } = await connectTool(api, 'lemlist');
    for (const path of [`/ingest/sources/${sourceId}`, `/ingest/sources/${sourceId}/${SECRET}`]) {
      const answer = await api.request(path, { method: 'PUT', as: null });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });
});
