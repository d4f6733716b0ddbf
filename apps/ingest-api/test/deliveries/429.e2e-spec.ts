import { startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, SECRETS_KEY } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
  });
  afterAll(() => api.stop());

  it('answers 429 to the sixth that fails to prove, and still takes the one that does', async () => {
    const { deliver } = await connectTool(api, 'instantly', api.tenant, 'guessedInstantly000000');
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await deliver('[]', { secret: `wrong ${at}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await deliver([{ event_type: 'x' }])).status).toBe(202);
  });
});
