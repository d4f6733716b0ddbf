import { expectError, startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, SECRET, SECRETS_KEY } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
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
