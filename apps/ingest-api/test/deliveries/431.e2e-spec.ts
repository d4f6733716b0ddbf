import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool, SECRET } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 431 to header fields, or a query, of more than 16 KiB', async () => {
    const { sourceId } = await connectTool(api, 'lemlist');
    const long = 'a'.repeat(17_000);
    for (const path of [`/ingest/sources/${sourceId}`, `/ingest/sources/${sourceId}/${SECRET}`]) {
      for (const answer of [
        await api.request(path, { method: 'POST', as: null, headers: { 'X-Long': long } }),
        await api.request(`${path}?q=${long}`, { method: 'POST', as: null }),
      ]) {
        expectError(answer, 431, 'HEADERS_TOO_LARGE');
      }
    }
  });
});
