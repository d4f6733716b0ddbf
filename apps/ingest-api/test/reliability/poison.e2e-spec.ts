import { gzipSync } from 'node:zlib';
import { anEvent, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome';
const ROW = 'email,0,csv-1,2026-01-05,2026-01-08,no_response';

/** A slice of `npm run verify:reliability -- poison`, which sends the whole list and measures stalls. */
describe('requests that nobody should send', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['NUL', 'subject', '"a\\u0000b"'],
    ['a lone surrogate', 'body', '"\\ud800"'],
    ['a day that does not exist', 'sent_at', '"2026-02-30"'],
    ['the year 0000', 'sent_at', '"0000-01-01"'],
    ['an offset of 23:59', 'outcome_at', '"2026-06-01T10:00:00+23:59"'],
    ['a week date', 'sent_at', '"2026-W23-1"'],
    ['a leap second', 'sent_at', '"2026-06-01T23:59:60Z"'],
    ['1e200000', 'word_count', '1e200000'],
    ['2^31', 'word_count', '2147483648'],
    ['a prototype', 'metadata', '{"__proto__":{"a":1}}'],
    ['NUL in a key', 'metadata', '{"\\u0000":1}'],
  ])('%s costs one event and not its neighbours', async (_, field, raw) => {
    const tenant = await api.addTenant();
    const poisoned = JSON.stringify({ ...anEvent(), [field]: '@' }).replace('"@"', () => raw);
    const [before, after] = ['before', 'after'].map((recipient_id) =>
      JSON.stringify(anEvent({ recipient_id })),
    );
    const answer = await api.postEvents(
      {},
      { as: tenant, body: `{"events":[${before},${poisoned},${after}]}` },
    );
    expect([answer.status, answer.body.accepted, answer.body.errors[0]?.index]).toEqual([202, 2, 1]);
    expect((await api.events(tenant)).map((row) => row.recipient_id)).toEqual(['after', 'before']);
  });

  it('texts in other scripts, with fields missing behind them, are stored', async () => {
    const tenant = await api.addTenant();
    const events = Array.from({ length: 40 }, (_, at) =>
      anEvent({
        recipient_id: `p${at}`,
        ...(at < 5 && { subject: '漢'.repeat(10), metadata: { note: '語'.repeat(20) } }),
      }),
    );
    expect(await api.postEvents({ events }, { as: tenant })).toMatchObject({
      status: 202,
      body: { accepted: 40 },
    });
    expect((await api.events(tenant)).filter((row) => row.subject === '漢'.repeat(10))).toHaveLength(5);
  });

  it.each<[string, string | Buffer, number, Record<string, string>?]>([
    ['three million brackets', '['.repeat(3_000_000), 400],
    ['a gzip of a gzip', gzipSync(gzipSync('['.repeat(1_000_000))), 400, { 'Content-Encoding': 'gzip' }],
    ['half a gzip', gzipSync('x'.repeat(9_000)).subarray(0, 20), 400, { 'Content-Encoding': 'gzip' }],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 400],
    ['nothing', '', 400],
  ])('%s is refused as a whole', async (_, body, status, headers = {}) => {
    expect((await api.postEvents({}, { body, headers })).status).toBe(status);
  });

  it.each([
    ['2.5 million cells in a row', `${HEADER}\n${','.repeat(2_500_000)}`, 400],
    ['an unbalanced quote', `${HEADER}\n"${ROW}`, 400],
    ['a header twice', `${HEADER},channel\n${ROW},email`, 400],
    ['a wide row', `${HEADER}\n${ROW},more`, 202],
    ['the header only', HEADER, 202],
  ])('CSV: %s', async (_, body, status) => {
    expect((await api.postCsv(body)).status).toBe(status);
  });

  it.each(['/ingest/events/%00', '/ingest/events/%ff', '/ingest/events?recipient_id=%00', '/ingest/events'])(
    'DELETE %s is refused',
    async (path) => {
      expect((await api.request(path, { method: 'DELETE' })).status).toBe(400);
    },
  );
});
