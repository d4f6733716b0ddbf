import { gzipSync } from 'node:zlib';
import {
  anEvent,
  answerTo,
  expectError,
  shareIngestApi,
  stalledUpload,
  type SharedIngestApi,
} from '../ingest-api-process';

const LIMIT = 8 * 1_024 * 1_024;

describe('POST /ingest/events', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  const padded = (bytes: number) => JSON.stringify(anEvent()).padEnd(bytes, ' ');

  it('answers 413 to 501 events, and stores none of them', async () => {
    const events = Array.from({ length: 501 }, (_, i) => anEvent({ recipient_id: `p${i}` }));
    const answer = await api.postEvents({ events });
    expectError(answer, 413, 'TOO_MANY_EVENTS');
    expect(answer.body.limit).toBe(500);
    expect(await api.events()).toEqual([]);
  });

  it('answers 413 to a byte more than 8 MiB, and not to 8 MiB', async () => {
    const refused = await api.postEvents({}, { body: padded(LIMIT + 1) });
    expectError(refused, 413, 'PAYLOAD_TOO_LARGE');
    expect(refused.body).toMatchObject({ limit: LIMIT, message: expect.stringContaining('8 MiB') });
    expect((await api.postEvents({}, { body: padded(LIMIT) })).status).toBe(202);
  });

  it('answers 413 to the head that announces too much, without the body', async () => {
    const upload = stalledUpload(api, 50 * 1_024 * 1_024);
    // Mutation: the answer waits for the body, and comes as 408 after half a minute.
    expectError(await answerTo(upload), 413, 'PAYLOAD_TOO_LARGE');
    upload.destroy();
  });

  it('answers 413 to a small body that becomes a large one', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    // Two hundred megabytes of spaces are small at any level.
    const bomb = gzipSync(Buffer.alloc(200 * 1_024 * 1_024, ' '), { level: 1 });
    expect(bomb.length).toBeLessThan(LIMIT);
    expectError(await api.postEvents({}, { body: bomb, headers }), 413, 'PAYLOAD_TOO_LARGE');
    expect((await api.postEvents({}, { body: gzipSync(padded(LIMIT)), headers })).status).toBe(202);
  });
});
