import { startIngestApi, type IngestApiProcess } from '../ingest-api-process';
import { connectTool, SECRETS_KEY } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi({ environment: { SOURCE_SECRETS_KEY: SECRETS_KEY } });
  });
  afterAll(() => api.stop());

  let shapes = 0;

  it.each([
    [JSON.stringify(Array.from({ length: 501 }, () => ({}))), 'TOO_MANY_EVENTS'],
    [' '.repeat(8 * 1024 * 1024 + 1), 'PAYLOAD_TOO_LARGE'],
  ])('answers 413 to too much, and stores nothing: %#', async (body, error) => {
    shapes += 1;
    const { deliver } = await connectTool(api, 'lemlist', api.tenant, `large${shapes}`.padEnd(22, '0'));
    const answer = await deliver(body);
    expect([answer.status, answer.body.error]).toEqual([413, error]);
    expect(await api.database.query('SELECT 1 FROM held_deliveries')).toEqual([]);
  });
});
