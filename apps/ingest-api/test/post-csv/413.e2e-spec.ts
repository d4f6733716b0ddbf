import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

const LIMIT = 5 * 1_024 * 1_024;
const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,body';
const row = (id: number, body = '') => `email,0,r-${id},2026-01-05,2026-01-06,responded,${body}`;

describe('POST /ingest/csv', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it('answers 413 to 501 rows, and stores none of them', async () => {
    const rows = Array.from({ length: 501 }, (_, i) => row(i));
    expectError(await api.postCsv([HEADER, ...rows].join('\n')), 413, 'TOO_MANY_EVENTS');
    expect(await api.events()).toEqual([]);
  });

  it('answers 413 to a byte more than 5 MB, and not to 5 MB', async () => {
    const csv = [HEADER, ...Array.from({ length: 500 }, (_, i) => row(i, 'x'.repeat(9_900)))].join('\n');
    const full = csv.padEnd(LIMIT, '\n');
    const refused = await api.postCsv(`${full}\n`);
    expectError(refused, 413, 'PAYLOAD_TOO_LARGE');
    expect(refused.body).toMatchObject({ limit: LIMIT, message: expect.stringContaining('5 MiB') });
    expect(await api.postCsv(full)).toMatchObject({ status: 202, body: { accepted: 500 } });
  });
});
