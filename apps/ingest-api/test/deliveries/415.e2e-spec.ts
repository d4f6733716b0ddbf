import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 415 to an encoding that is unknown', async () => {
    const { deliver } = await connectTool(api, 'lemlist');
    const answer = await deliver({}, { headers: { 'Content-Encoding': 'compress' } });
    expect([answer.status, answer.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
