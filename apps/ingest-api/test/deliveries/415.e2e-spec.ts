import { startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, SECRETS_KEY } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
  });
  afterAll(() => api.stop());

  it('answers 415 to an encoding that is unknown', async () => {
    const { deliver } = await connectTool(api, 'lemlist');
    const answer = await deliver({}, { headers: { 'Content-Encoding': 'compress' } });
    expect([answer.status, answer.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
