import { tcpProxy, waitUntil, type TcpProxy } from '@outcomes/testing';
import {
  anEvent,
  expectError,
  startIngestApi,
  stalledUpload,
  type IngestApiProcess,
} from '../ingest-api-process';

describe('POST /ingest/events', () => {
  let proxy: TcpProxy;
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({
      environment: { MAX_HELD_BODY_BYTES: String(8 * 1_024 * 1_024) },
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

  it('answers 503 where the bodies under way would take too much memory', async () => {
    const upload = stalledUpload(api, 7 * 1_024 * 1_024);
    const body = JSON.stringify(anEvent()).padEnd(2 * 1_024 * 1_024, ' ');
    const refused = await waitUntil('the memory to be taken', async () => {
      const answer = await api.postEvents({}, { body });
      return answer.status === 503 && answer;
    });
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
    upload.destroy();
    await waitUntil('the memory to be free', async () => (await api.postEvents({}, { body })).status === 202);
  });

  it('answers 503 to the company that holds too much, and to no other', async () => {
    const two = 2 * 8 * 1_024 * 1_024;
    const roomy = await startIngestApi({ environment: { MAX_HELD_BODY_BYTES: String(two) } });
    const other = await roomy.addTenant();
    const upload = stalledUpload(roomy, 7 * 1_024 * 1_024);
    const body = JSON.stringify(anEvent()).padEnd(2 * 1_024 * 1_024, ' ');
    const refused = await waitUntil('its share to be taken', async () => {
      const answer = await roomy.postEvents({}, { body });
      return answer.status === 503 && answer;
    });
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect((await roomy.postEvents({}, { body, as: other })).status).toBe(202);
    upload.destroy();
    await roomy.stop();
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
    await proxy.mend();
    await waitUntil(
      'Postgres to be reached again',
      async () => (await api.postEvents(anEvent())).status === 202,
    );
  });
});
