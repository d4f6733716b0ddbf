import { shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,tone,body,metadata.campaign_id';

describe('POST /ingest/csv', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 202 as for JSON, with the numbers of rows', async () => {
    const tenant = await api.addTenant();
    const csv = [
      `\uFEFF${HEADER}`,
      'email,0,p-1,2026-01-05,2026-01-06,responded,direct,"Hi ""Ann"",\r\nbye",c-1',
      'email,0,p-2,2026-01-05,2026-01-06,responded,casual,,',
      'email,0,p-1,2026-01-05,2026-01-06,responded,direct,"Hi ""Ann"",\r\nbye",c-1',
      'email,0,p-1,2026-01-05,2026-01-06,responded,,,c-1',
    ].join('\r\n');
    const answer = await api.postCsv(csv, { as: tenant, headers: { Prefer: 'return=representation' } });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      accepted: 2,
      rejected: 2,
      duplicates: 1,
      errors: [
        { row: 2, field: 'tone', code: 'NOT_ALLOWED' },
        { row: 4, field: 'event_id', code: 'EVENT_ID_CONFLICT' },
      ],
    });
    expect(
      answer.body.results.map(({ row, status }: { row: number; status: string }) => `${row} ${status}`),
    ).toEqual(['1 accepted', '2 rejected', '3 duplicate', '4 rejected']);
    expect(await api.events(tenant)).toEqual([
      expect.objectContaining({
        recipient_id: 'p-1',
        body: 'Hi "Ann",\r\nbye',
        campaign_id: 'c-1',
        sent_has_time: false,
      }),
    ]);
  });

  it('takes facts, and a column that only some rows need may be missing', async () => {
    const tenant = await api.addTenant();
    const csv = [
      'channel,sequence_step,recipient_id,fact,sent_at',
      'email,0,p-1,sent,2026-01-05T09:30:00Z',
      'email,0,p-2,opened,2026-01-05T09:30:00Z',
    ].join('\n');
    expect((await api.postCsv(csv, { as: tenant })).body).toMatchObject({
      accepted: 1,
      errors: [{ row: 2, field: 'outcome_at', code: 'REQUIRED' }],
    });
    expect(await api.events(tenant)).toMatchObject([{ recipient_id: 'p-1', outcome: 4 }]);
  });

  it('answers 202 to a header alone, and to 500 rows', async () => {
    expect(await api.postCsv(HEADER)).toMatchObject({ status: 202, body: { accepted: 0, rejected: 0 } });
    const rows = Array.from({ length: 500 }, (_, i) => `email,0,r-${i},2026-01-05,2026-01-06,responded,,,`);
    expect(await api.postCsv([HEADER, ...rows].join('\n'))).toMatchObject({
      status: 202,
      body: { accepted: 500 },
    });
  });
});
