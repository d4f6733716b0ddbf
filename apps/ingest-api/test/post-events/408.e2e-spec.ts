import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { startIngestApi, stalledUpload, type IngestApiProcess } from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { BODY_TIMEOUT_MS: '200' } });
  });
  afterAll(() => api.stop());

  it('answers 408 to a body that does not arrive, and closes the connection', async () => {
    const upload = stalledUpload(api, 1_000);
    const response = await new Promise<IncomingMessage>((resolve) => upload.once('response', resolve));
    expect(response.statusCode).toBe(408);
    expect(response.headers.connection).toBe('close');
    expect(await json(response)).toMatchObject({ success: false, error: 'REQUEST_TIMEOUT' });
    upload.destroy();
  });
});
