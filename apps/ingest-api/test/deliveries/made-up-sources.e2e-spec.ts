import { randomBase62 } from '@outcomes/platform/secrets';
import { podsPerService, waitUntil } from '@outcomes/testing';
import { checkedRequest, startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, SECRETS_KEY } from './connected-tool';

const LIMIT = 20;

describe('deliveries to made-up sources', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    const environment = { SOURCE_SECRETS_KEY: SECRETS_KEY, ADDRESS_BURST_LIMIT: String(LIMIT) };
    api = await startIngestApi({ environment });
  }, 60_000);
  afterAll(() => api.stop());

  it('are looked up only now and then once their address has used up its window, and known sources always', async () => {
    const { deliver } = await connectTool(api, 'instantly');
    for (let pod = 0; pod < podsPerService(); pod += 1) expect((await deliver([{}])).status).toBe(202);
    const startedMs = performance.now();
    const answers = [];
    for (let n = 0; n < 10 * LIMIT; n += 1)
      answers.push(
        await checkedRequest(api.baseUrl, `/ingest/sources/src_${randomBase62(22)}`, { body: '[]' }),
      );
    const seconds = (performance.now() - startedMs) / 1_000;
    // Mutation: whoever names sources has the database look for each of them.
    const lookedUp = answers.filter(({ status }) => status === 404);
    // A window, nine more for each further process, and five with each second and at once.
    const most = LIMIT + 9 + podsPerService() * (5 + 5 * seconds);
    expect(lookedUp.length).toBeGreaterThanOrEqual(LIMIT);
    expect(lookedUp.length).toBeLessThanOrEqual(most);
    // A tool that waits and sends again loses nothing, were it a new source of another customer.
    const refused = answers.filter(({ status }) => status !== 404);
    expect(
      new Set(refused.map(({ status, headers }) => [status, headers.get('retry-after')].join())),
    ).toEqual(new Set(['503,1']));
    expect((await deliver([{}])).status).toBe(202);
    const other = await connectTool(api, 'instantly');
    await waitUntil('a new source to be found', async () => (await other.deliver([{}])).status === 202);
  });
});
