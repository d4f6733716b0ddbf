import { podsPerService } from '@outcomes/testing';
import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 429 to the sixth that fails to prove, and still takes the one that does', async () => {
    const { deliver } = await connectTool(api, 'instantly');
    const statuses: number[] = [];
    const wrong = async () => (await deliver('[]', { secret: `wrong ${statuses.length}` })).status;
    // Each process counts for itself: a wrong secret costs no question to Redis.
    const failures = 5 * podsPerService();
    while (statuses.length <= failures) statuses.push(await wrong());
    expect(statuses).toEqual([...Array.from({ length: failures }, () => 401), 429]);
    expect((await deliver([{ event_type: 'x' }])).status).toBe(202);
  });
});
