import { gzipSync } from 'node:zlib';
import { tcpProxy, waitUntil, type TcpProxy } from '@outcomes/testing';
import {
  anEvent,
  answerTo,
  expectError,
  startIngestApi,
  stalledUpload,
  type IngestApiProcess,
} from '../ingest-api-process';

const MEBIBYTE = 1_024 * 1_024;

/** Bytes of bodies that are held now. */
async function held(api: IngestApiProcess): Promise<number> {
  return Number(/^http_body_bytes\{.*\} (\S+)$/m.exec(await api.metrics())?.[1]);
}

describe('POST /ingest/events', () => {
  let proxy: TcpProxy;
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({
      // What is held, and refused for it, is that of a process.
      ...{ pods: 1, environment: { MAX_HELD_BODY_BYTES: String(8 * 1_024 * 1_024) } },
      databaseUrl: async (url) => {
        proxy = await tcpProxy(url);
        return proxy.url;
      },
    });
  });
  afterAll(async () => {
    await api.stop();
    await proxy.close();
  });

  it('answers 503 where the bodies under way take too much memory, once they are here', async () => {
    const upload = stalledUpload(api, 7 * MEBIBYTE, { sent: 5 * MEBIBYTE });
    const body = JSON.stringify(anEvent()).padEnd(3 * MEBIBYTE, ' ');
    await waitUntil('the memory to be taken', async () => (await held(api)) > 4 * MEBIBYTE);
    // Its own company's: the upload that brought most of its bytes stays.
    const refused = await api.postEvents({}, { body });
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
    upload.destroy();
    await waitUntil('the memory to be free', async () => (await api.postEvents({}, { body })).status === 202);
  });

  it.each<[string, Record<string, string>]>([
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
    ['announced', { 'Content-Length': String(8 * MEBIBYTE) }],
    ['compressed', { 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip' }],
  ])('takes the bodies of all companies while one has many %s ones that stall', async (_how, headers) => {
    const uploads = Array.from({ length: 40 }, () => stalledUpload(api, undefined, { headers }));
    await waitUntil('them to have begun', async () => (await held(api)) > 40);
    const other = await api.addTenant();
    const body = JSON.stringify(anEvent()).padEnd(3 * MEBIBYTE, ' ');
    // Mutation: memory set aside for what may come. The first six of these turned ingestion off for everybody.
    expect((await api.postEvents({}, { body, as: other })).status).toBe(202);
    expect(
      (await api.postEvents({}, { body: gzipSync(body), as: other, headers: { 'Content-Encoding': 'gzip' } }))
        .status,
    ).toBe(202);
    expect((await api.postEvents({}, { body })).status).toBe(202);
    uploads.forEach((upload) => upload.destroy());
  });

  it('gives up the slow body of the company that holds most, and takes that of another', async () => {
    const upload = stalledUpload(api, 8 * MEBIBYTE, { sent: 5 * MEBIBYTE });
    const given = answerTo(upload);
    await waitUntil('the memory to be taken', async () => (await held(api)) > 4 * MEBIBYTE);
    const other = await api.addTenant();
    const body = JSON.stringify(anEvent()).padEnd(4 * MEBIBYTE, ' ');
    expect((await api.postEvents({}, { body, as: other })).status).toBe(202);
    expectError(await given, 503, 'SERVICE_UNAVAILABLE');
    upload.destroy();
  });

  it('answers 503 with Retry-After while Postgres is away, soon, and 202 when it is back', async () => {
    expect((await api.postEvents(anEvent())).status).toBe(202);
    await proxy.cut();
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.postEvents(anEvent({ recipient_id: `away-${i}` }))),
    );
    for (const answer of answers) {
      expectError(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(performance.now() - started).toBeLessThan(4_000);
    await proxy.restore();
    await waitUntil(
      'Postgres to be reached again',
      async () => (await api.postEvents(anEvent())).status === 202,
    );
  });
});
