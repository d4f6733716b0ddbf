import fc from 'fast-check';
import { checkEvent } from '../validation/event-rules';
import { parseCsv } from './parse-csv';

const HEADER = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome';
const ROW = 'email,0,p-1,2026-06-01,2026-06-08,no_response';
const EVENT = {
  channel: 'email',
  sequence_step: 0,
  recipient_id: 'p-1',
  sent_at: '2026-06-01',
  outcome_at: '2026-06-08',
  outcome: 'no_response',
};

const parse = (text: string | Buffer) => parseCsv(Buffer.from(text as string));
const refusal = (text: string | Buffer) =>
  parse(text).then(
    () => 'none',
    (error: { code: string; fields: { column?: string } }) =>
      [error.code, error.fields.column].filter(Boolean).join(' '),
  );
const events = async (text: string | Buffer) =>
  (await parse(text)).map((row) => ('event' in row ? row.event : row));

describe('the body of POST /ingest/csv', () => {
  it('has a header in any order, with or without byte order mark, lines ending either way', async () => {
    expect(await events(`${HEADER}\n${ROW}\n`)).toEqual([EVENT]);
    expect(await events(`\uFEFF${HEADER}\r\n${ROW}\r\n`)).toEqual([EVENT]);
    expect(await events(`${HEADER}\r\n${ROW}`)).toEqual([EVENT]);
    const [names, cells] = [HEADER.split(',').reverse(), ROW.split(',').reverse()];
    expect(await events(`${names.join()}\n${cells.join()}`)).toEqual([EVENT]);
  });

  it('takes quoted cells with commas, quotes and line ends', async () => {
    expect(await events(`${HEADER},body\n${ROW},"Hi, ""Ann""\r\nBye"`)).toEqual([
      { ...EVENT, body: 'Hi, "Ann"\r\nBye' },
    ]);
  });

  it('takes an empty cell for an absent field', async () => {
    expect(await events(`${HEADER},tone,word_count,metadata,metadata.x\n${ROW},,,,`)).toEqual([EVENT]);
  });

  it('takes metadata as JSON, as columns, or as both', async () => {
    expect(await events(`${HEADER},metadata\n${ROW},"{""campaign_id"":""c"",""n"":1}"`)).toEqual([
      { ...EVENT, metadata: { campaign_id: 'c', n: 1 } },
    ]);
    expect(await events(`${HEADER},metadata.campaign_id,metadata.opened\n${ROW},007,true`)).toEqual([
      { ...EVENT, metadata: { campaign_id: '007', opened: true } },
    ]);
    expect(await events(`${HEADER},metadata,metadata.a\n${ROW},"{""a"":1,""b"":2}",x`)).toEqual([
      { ...EVENT, metadata: { a: 'x', b: 2 } },
    ]);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['0', '0'],
    [' ', ' '],
  ])('takes the cell %j of a metadata column for %j', async (cell, value) => {
    expect(await events(`${HEADER},metadata.opened\n${ROW},${cell}`)).toEqual([
      { ...EVENT, metadata: { opened: value } },
    ]);
  });

  it.each(['[1]', '7', '"text"', '{x', '['.repeat(100)])(
    'leaves %j in the column metadata to the validation, whatever other columns say',
    async (cell) => {
      const quoted = `"${cell.replaceAll('"', '""')}"`;
      const [event] = await events(`${HEADER},metadata,metadata.a\n${ROW},${quoted},x`);
      expect(checkEvent(event, Date.parse('2026-06-15')).faults).toEqual([
        expect.objectContaining({ field: 'metadata' }),
      ]);
    },
  );

  it.each([
    ['7', 7],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', '1000000000000000'],
    ['-1', '-1'],
    [' 7', ' 7'],
  ])('takes the cell %j of a whole number for %j', async (cell, value) => {
    expect(await events(`${HEADER},word_count\n${ROW},${cell}`)).toEqual([{ ...EVENT, word_count: value }]);
  });

  it('names columns with blanks around them, 200 at most', async () => {
    expect(await events(`${HEADER.replaceAll(',', ' , ')}\n${ROW}`)).toEqual([EVENT]);
    const columns = Array.from({ length: 194 }, (_, n) => `metadata.k${n}`);
    expect(await refusal(`${[HEADER, ...columns].join()}\n`)).toBe('none');
    await expect(parse(`${[HEADER, ...columns, 'metadata.k'].join()}\n`)).rejects.toMatchObject({
      ...{ code: 'INVALID_CSV', message: 'A CSV has at most 200 columns.' },
    });
  });

  it('is refused with a text that shows what was wrong, short and printable, and in which line', async () => {
    const said = (text: string) => parse(text).catch((error: Error) => error.message);
    expect(await said(`${HEADER},ti\u0007t\tle${'x'.repeat(100)}\n`)).toContain(
      `: "tit le${'x'.repeat(58)}".`,
    );
    expect(await said(`${HEADER},channel\n`)).toBe('The CSV header names a column twice: "channel".');
    expect(await said('channel,sequence_step\n')).toBe(
      'The CSV header lacks a required column: "recipient_id".',
    );
    // One name that is known is no sign of another delimiter.
    expect(await said(`${HEADER},channel;x\n`)).toContain('does not exist: "channel;x"');
    expect(await said(`${HEADER};x\n`)).not.toContain('semicolons');
    expect(await said('channel ; outcome\n')).toContain('semicolons');
    await expect(parse(`${HEADER}\n${ROW}\n"email"x,${ROW}\n`)).rejects.toMatchObject({
      fields: { line: 3 },
    });
  });

  it('takes null in the column metadata for nothing, and keeps what other columns say', async () => {
    expect(await events(`${HEADER},metadata,metadata.campaign_id\n${ROW},null,c`)).toEqual([
      { ...EVENT, metadata: { campaign_id: 'c' } },
    ]);
  });

  it('leaves to the validation what is no number and no JSON', async () => {
    const [event] = await events(
      `${HEADER.replace('sent_at', 'word_count,sent_at')},metadata\nemail,1.0,p,1e3,a,b,c,{x`,
    );
    expect(event).toMatchObject({ sequence_step: '1.0', word_count: '1e3', metadata: '{x' });
  });

  it.each([
    [`${HEADER},title\n${ROW},x`, 'UNKNOWN_COLUMN title'],
    [`${HEADER},metadata.\n${ROW},x`, 'UNKNOWN_COLUMN metadata.'],
    [`${HEADER},metadata.__proto__\n${ROW},x`, 'UNKNOWN_COLUMN metadata.__proto__'],
    [`${HEADER},channel\n${ROW},x`, 'DUPLICATE_COLUMN channel'],
    [`${HEADER},\n${ROW},x`, 'UNKNOWN_COLUMN'],
    [`channel,sequence_step\nemail,1`, 'MISSING_COLUMN recipient_id'],
    [ROW, 'UNKNOWN_COLUMN email'],
    ['', 'INVALID_CSV'],
    ['\n\n', 'INVALID_CSV'],
    [`${HEADER}\n"${ROW}`, 'INVALID_CSV'],
    [`${HEADER}\nem"ail,${ROW}`, 'INVALID_CSV'],
    [`${HEADER}\n"email"x,${ROW}`, 'INVALID_CSV'],
    [`${','.repeat(5_000)}\n`, 'INVALID_CSV'],
    [`${HEADER}\n${','.repeat(10_001)}`, 'INVALID_CSV'],
    [`${HEADER}\n"\n"${',""'.repeat(6_000)},"\n"${','.repeat(6_000)}`, 'INVALID_CSV'],
  ])('is refused as a whole: %j', async (text, code) => {
    expect(await refusal(text)).toBe(code);
  });

  it.each([
    ['channel,sequence_step,recipient_id,fact,sent_at', 'none'],
    ['channel,sequence_step,recipient_id,fact,outcome_at', 'none'],
    ['channel,sequence_step,recipient_id,message_ref,outcome,outcome_at', 'none'],
    ['channel,sequence_step,recipient_id,message_ref,fact,outcome_at', 'none'],
    ['channel,sequence_step,recipient_id,sent_at,outcome_at', 'MISSING_COLUMN outcome'],
    ['channel,sequence_step,recipient_id,outcome,outcome_at', 'MISSING_COLUMN sent_at'],
    ['channel,sequence_step,recipient_id,sent_at,outcome', 'MISSING_COLUMN outcome_at'],
    ['channel,sequence_step,recipient_id,message_ref,sent_at,outcome', 'MISSING_COLUMN outcome_at'],
    ['channel,sequence_step,recipient_id,fact', 'MISSING_COLUMN outcome_at'],
    ['channel,sequence_step,recipient_id,fact,message_ref', 'MISSING_COLUMN outcome_at'],
  ])('may lack a column without which a row can be an event: %s', async (header, code) => {
    expect(await refusal(`${header}\n`)).toBe(code);
  });

  it('lacks a column exactly where no row of that header is an event', async () => {
    const optional = ['sent_at', 'outcome_at', 'outcome', 'fact', 'message_ref'] as const;
    const cells = { sent_at: '2026-06-01', outcome_at: '2026-06-08', message_ref: 'm-1' };
    const rows = [{ outcome: 'responded' }, { fact: 'sent' }, { fact: 'opened' }];
    for (let set = 0; set < 2 ** optional.length; set += 1) {
      const header = optional.filter((_, bit) => (set >> bit) & 1);
      const isEvent = rows.some((row) => {
        const all: Record<string, string | undefined> = { ...cells, ...row };
        const told = header.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
        const event = { channel: 'email', sequence_step: 0, recipient_id: 'p', ...Object.fromEntries(told) };
        return checkEvent(event, Date.parse('2026-06-15')).faults === undefined;
      });
      const code = await refusal(
        `channel,sequence_step,recipient_id,${header.join()}\n`.replace(',\n', '\n'),
      );
      expect([header, code.startsWith('MISSING_COLUMN')]).toEqual([header, !isEvent]);
    }
  });

  it.each([
    [';', 'semicolons'],
    ['\t', 'tabs'],
    ['|', 'bars'],
  ])('names the delimiter where it is %j', async (delimiter, name) => {
    const text = `${HEADER}\n${ROW}`.replaceAll(',', delimiter);
    await expect(parse(text)).rejects.toMatchObject({
      code: 'UNKNOWN_COLUMN',
      message: expect.stringMatching(
        `^The cells are separated by ${name}\\. Separate them by commas .*: "channel.sequence_step.`,
      ) as string,
    });
  });

  it('lists the columns that there are where one is unknown', async () => {
    await expect(parse(`${HEADER},title\n`)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The CSV header names a column that does not exist: "title"\. The columns are: channel, .*, fact, .*, metadata, and metadata\.<key> for a key of metadata\.$/,
      ) as string,
    });
  });

  it('is UTF-8', async () => {
    expect(await refusal(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0xc3, 0x28])]))).toBe(
      'INVALID_ENCODING',
    );
    expect(await refusal(Buffer.from(`\uFEFF${HEADER}`, 'utf16le'))).toBe('INVALID_ENCODING');
  });

  it('may have no data row, and has 500 at most', async () => {
    expect(await events(HEADER)).toEqual([]);
    expect(await events(`${HEADER}\n${`${ROW}\n`.repeat(500)}`)).toHaveLength(500);
    expect(await refusal(`${HEADER}\n${`${ROW}\n`.repeat(501)}`)).toBe('TOO_MANY_EVENTS');
  });

  it('refuses a row of another width and no other', async () => {
    const rows = await parse(`${HEADER}\n${ROW},more\n${ROW}\nemail`);
    expect(rows[0]?.faults).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/ 7 cells, the header 6\. Quote/) as string }),
    ]);
    expect(rows.map((row) => row.faults?.map(({ code }) => code) ?? 'event')).toEqual([
      ['INVALID_ROW'],
      'event',
      ['INVALID_ROW'],
    ]);
  });

  it('counts no commas within quotes, and those of each row alone', async () => {
    const commas = ','.repeat(9_000);
    const lines = [`${HEADER},body`, `${ROW},"${commas}\n""${commas}"`, `${ROW},"${commas}${commas}"`];
    expect(await events(lines.join('\n'))).toHaveLength(2);
  });

  it('gives back any text that was quoted as RFC 4180 says', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('\n', '\r\n'), async (bodies, end) => {
        const lines = bodies.map((body) => `${ROW},"${body.replaceAll('"', '""')}"`);
        const parsed = await events([`${HEADER},body`, ...lines].join(end));
        expect(parsed).toEqual(bodies.map((body) => ({ ...EVENT, body })));
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
