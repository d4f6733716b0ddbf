import { podsPerService } from '@outcomes/testing';
import {
  answerTo,
  expectError,
  shareIngestApi,
  stalledUpload,
  startIngestApi,
  type SharedIngestApi,
} from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi('impatient');
  });
  afterAll(() => api.stop());

  it('answers 408 to a body that does not arrive, and closes the connection', async () => {
    const upload = stalledUpload(api, 1_000);
    const answer = await answerTo(upload);
    expectError(answer, 408, 'REQUEST_TIMEOUT');
    // A proxy before several processes speaks for its own connections.
    expect(answer.connection).toBe(podsPerService() === 1 ? 'close' : 'keep-alive');
    upload.destroy();
  });

  it('answers 408 to a body that stops, long before its time is up', async () => {
    const patient = await startIngestApi({ environment: { BODY_STALL_MS: '200' } });
    const upload = stalledUpload(patient, 1_000_000, { sent: 999_999 });
    expectError(await answerTo(upload), 408, 'REQUEST_TIMEOUT');
    upload.destroy();
    await patient.stop();
  });
});
