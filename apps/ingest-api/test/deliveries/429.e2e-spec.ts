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
    for (let at = 0; at < 6; at += 1) statuses.push((await deliver('[]', { secret: `wrong ${at}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await deliver([{ event_type: 'x' }])).status).toBe(202);
  });
});
