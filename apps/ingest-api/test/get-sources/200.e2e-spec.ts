import { startIngestApi, type IngestApiProcess } from '../ingest-api-process';

describe('GET /ingest/sources', () => {
  let api: IngestApiProcess;
  beforeAll(async () => {
    api = await startIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 200, also of a source that has delivered nothing', async () => {
    await api.database.query(
      `INSERT INTO sources (company_id, source_id, tool, created_at) VALUES ($1, $2, 'lemlist', now())`,
      [api.tenant.companyId, `src_${'0'.repeat(22)}`],
    );
    const { status, body } = await api.request('/ingest/sources', { method: 'GET' });
    expect([status, body.sources]).toEqual([
      200,
      [expect.objectContaining({ tool: 'lemlist', last_delivery_at: null, observed_until: null, types: [] })],
    ]);
  });
});
