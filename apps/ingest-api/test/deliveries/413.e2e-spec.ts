import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';
import { connectTool } from './connected-tool';

describe('POST /ingest/sources/{source}', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    [JSON.stringify(Array.from({ length: 501 }, () => ({}))), 'TOO_MANY_EVENTS'],
    [' '.repeat(8 * 1024 * 1024 + 1), 'PAYLOAD_TOO_LARGE'],
  ])('answers 413 to too much, and stores nothing: %#', async (body, error) => {
    const { deliver } = await connectTool(api, 'lemlist');
    const answer = await deliver(body);
    expect([answer.status, answer.body.error]).toEqual([413, error]);
    const held = await api.database.query('SELECT 1 FROM held_deliveries WHERE company_id = $1', [
      api.tenant.companyId,
    ]);
    expect(held).toEqual([]);
  });
});
