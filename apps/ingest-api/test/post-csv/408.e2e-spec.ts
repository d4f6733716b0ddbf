import { podsPerService } from '@outcomes/testing';
import {
  answerTo,
  expectError,
  shareIngestApi,
  stalledUpload,
  type SharedIngestApi,
} from '../ingest-api-process';

describe('POST /ingest/csv', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi('impatient');
  });
  afterAll(() => api.stop());

  it('answers 408 to a body that does not arrive, and closes the connection', async () => {
    const upload = stalledUpload(api, 1_000, { path: '/ingest/csv', type: 'text/csv' });
    const answer = await answerTo(upload);
    expectError(answer, 408, 'REQUEST_TIMEOUT');
    // A proxy before several processes speaks for its own connections.
    expect(answer.connection).toBe(podsPerService() === 1 ? 'close' : 'keep-alive');
    upload.destroy();
  });
});
