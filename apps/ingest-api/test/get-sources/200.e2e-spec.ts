import { randomBase62 } from '@outcomes/platform/secrets';
import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

describe('GET /ingest/sources', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 200, also of a source that has delivered nothing', async () => {
    await api.database.query(
      `INSERT INTO sources (company_id, source_id, tool, created_at) VALUES ($1, $2, 'lemlist', now())`,
      [api.tenant.companyId, `src_${randomBase62(22)}`],
    );
    const { status, body } = await api.request('/ingest/sources', { method: 'GET' });
    expect([status, body.sources]).toEqual([
      200,
      [
        expect.objectContaining({
          ...{ tool: 'lemlist', last_delivery_at: null, observed_until: null, types: [] },
          ...{ waiting: 0, no_sent_events: null },
        }),
      ],
    ]);
  });

  it('says what to switch on where replies come and nothing of what was sent', async () => {
    const sourceId = `src_${randomBase62(22)}`;
    await api.database.query(
      `INSERT INTO sources (company_id, source_id, tool, created_at) VALUES ($1, $2, 'lemlist', '2026-01-02T08:00:00Z')`,
      [api.tenant.companyId, sourceId],
    );
    await api.database.query(
      `INSERT INTO source_types (company_id, source_id, type, records, last_at)
       VALUES ($1, $2, 'emailsReplied', 3, now())`,
      [api.tenant.companyId, sourceId],
    );
    const { body } = await api.request('/ingest/sources', { method: 'GET' });
    const found = body.sources.find(({ source }: { source: string }) => source === sourceId);
    expect(found.no_sent_events).toMatchObject({
      ...{ since: '2026-01-02T08:00:00.000Z', types: ['emailsSent', 'linkedinSent'] },
      message: expect.stringContaining('Switch on emailsSent or linkedinSent'),
    });
  });
});
