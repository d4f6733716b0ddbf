import { expectError, shareIngestApi, type SharedIngestApi } from '../ingest-api-process';

const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome';

describe('POST /ingest/csv', () => {
  let api: SharedIngestApi;
  beforeAll(async () => {
    api = await shareIngestApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['UNKNOWN_COLUMN', 'title', `${HEADER},title\n`],
    ['DUPLICATE_COLUMN', 'outcome', `${HEADER},outcome\n`],
    ['MISSING_COLUMN', 'sent_at', `${HEADER.replace('sent_at,', '')}\n`],
  ] as const)('answers 400 %s and names the column', async (error, column, csv) => {
    const answer = await api.postCsv(csv);
    expectError(answer, 400, error);
    expect(answer.body).toMatchObject({ column, message: expect.stringContaining(`"${column}"`) });
  });

  it('says so where the cells are separated by something else, and which columns there are', async () => {
    const semicolons = await api.postCsv(`${HEADER.replaceAll(',', ';')}\n`);
    expectError(semicolons, 400, 'UNKNOWN_COLUMN');
    expect(semicolons.body.message).toMatch(/separated by semicolons\. Separate them by commas/);
    const unknown = await api.postCsv(`${HEADER},title\n`);
    expect(unknown.body.message).toMatch(/The columns are: channel, .*message_ref, .*metadata\.<key>/);
  });

  it('answers 400 to what is no CSV, and says in which line', async () => {
    const answer = await api.postCsv(`${HEADER}\n"email,0`);
    expectError(answer, 400, 'INVALID_CSV');
    expect(answer.body.line).toBe(2);
    expectError(await api.postCsv(''), 400, 'INVALID_CSV');
  });

  it('answers 400 to what is no UTF-8', async () => {
    expectError(await api.postCsv(Buffer.from([0xff, 0xfe, 0x61, 0x00])), 400, 'INVALID_ENCODING');
  });
});
