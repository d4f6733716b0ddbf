import { randomUUID } from 'node:crypto';
import { podsPerService, tcpProxy, waitUntil, type TcpProxy } from '@outcomes/testing';
import { anEvent, startIngestApi, type IngestApiProcess } from '../ingest-api-process';

/** Slices of `npm run verify:reliability`, which also kills the service between COMMIT and answer. */
describe('a batch that is sent again', () => {
  let proxy: TcpProxy;
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({
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

  const batch = (count: number) =>
    Array.from({ length: count }, (_, at) => anEvent({ event_id: randomUUID(), recipient_id: `p${at}` }));

  it('is the same 500 rows, however many clients send it at once', async () => {
    const tenant = await api.addTenant({ burst: 100_000 });
    const events = batch(500);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => api.postEvents({ events }, { as: tenant })),
    );
    expect(answers.map(({ status, body }) => [status, body.accepted, body.rejected])).toEqual(
      answers.map(() => [202, 500, 0]),
    );
    const fresh = answers.reduce((sum, { body }) => sum + 500 - body.duplicates, 0);
    expect([fresh, (await api.events(tenant)).length]).toEqual([500, 500]);
  });

  it('is the same rows where the answer of Postgres was lost behind its COMMIT', async () => {
    const tenant = await api.addTenant({ burst: 100_000 });
    // Every pod has a connection and knows the key.
    for (let pod = 0; pod < podsPerService(); pod += 1) {
      await api.postEvents({ events: batch(1) }, { as: tenant });
    }
    const events = [...batch(40), {}];
    proxy.hold();
    const unheard = api.postEvents({ events }, { as: tenant });
    const committed = await waitUntil('the commit', async () => {
      const rows = await api.events(tenant);
      return rows.length === 40 + podsPerService() && rows;
    });
    await proxy.cut();
    // The service cannot know whether it was committed, and says so.
    expect((await unheard).status).toBe(503);
    await proxy.restore();
    const again = await waitUntil('Postgres to be reached again', async () => {
      const answer = await api.postEvents({ events }, { as: tenant });
      return answer.status === 202 && answer;
    });
    expect(again.body).toMatchObject({ accepted: 40, rejected: 1, duplicates: 40 });
    expect(await api.events(tenant)).toEqual(committed);
  });
});
