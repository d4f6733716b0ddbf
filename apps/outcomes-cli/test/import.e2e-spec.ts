import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '@outcomes/testing';
import { Installation } from './installation';

const HEADER = 'event_id,channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,subject';
const ROWS = 12_000;

interface ImportResult {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejectsFile: string | null;
}

function row(index: number): string {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  // A quoted line break: rows are not lines.
  return `${id},email,0,r-${index},2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,no_response,"Two\nlines, ""quoted"""`;
}

describe('outcomes import', () => {
  let installation: Installation;
  let folder: string;
  let apiKey: string;

  const importFile = (file: string) =>
    installation.cli<ImportResult>(
      ...['import', file, '--key', apiKey, '--state-folder', join(folder, 'state'), '--no-wait'],
    );
  const stored = async () => {
    const [counted] = await installation.database.query<{ n: string }>(
      'SELECT count(*) AS n FROM outcome_events',
    );
    return Number(counted?.n);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-import-'));
    installation = await Installation.start(['ingest-api']);
    ({ apiKey } = await installation.addTenant({ name: 'Import' }));
  }, 60_000);

  afterAll(async () => {
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  it('goes on where it was killed: every row is stored once and the totals are those of the file', async () => {
    const file = join(folder, 'large.csv.gz');
    const rows = Array.from({ length: ROWS }, (_, index) => row(index));
    writeFileSync(file, gzipSync(`\uFEFF${HEADER}\r\n${rows.join('\r\n')}\r\n`));
    const state = ['--state-folder', join(folder, 'state')];
    const interrupted = await installation.startCommand(['import', file, '--key', apiKey, ...state]);
    await waitUntil('part of the file to be stored', async () => (await stored()) >= 2_000, 30_000);
    interrupted.child.kill('SIGKILL');
    await interrupted.ended;
    const before = await stored();
    expect(before).toBeLessThan(ROWS);
    const result = await importFile(file);
    expect(result).toMatchObject({ accepted: ROWS, rejected: 0, rejectsFile: null });
    // Only batches under way at the kill are sent again. Mutation: without the state all rows before it would be.
    expect(result.duplicates).toBeLessThanOrEqual(2_000);
    expect(await stored()).toBe(ROWS);
  }, 120_000);

  it('writes rejected rows to a file, each with its place and its fault, and imports the others', async () => {
    const file = join(folder, 'faulty.csv');
    const good = row(ROWS + 1);
    const bad = row(ROWS + 2).replace('no_response', 'maybe');
    writeFileSync(file, `${HEADER}\n${good}\n${bad}\n`);
    const result = await importFile(file);
    expect(result).toMatchObject({ accepted: 1, rejected: 1 });
    const rejects = readFileSync(result.rejectsFile ?? '', 'utf8');
    expect(rejects).toMatch(/^source_row,fault,event_id,/);
    expect(rejects).toContain('\n2,"outcome: NOT_ALLOWED:');
    expect(rejects).toContain(bad);
    expect(rejects).not.toContain(good);
  }, 60_000);

  it.each([
    ['empty lines of CRLF', '\r\n', '\r\n\r\n'],
    ['empty lines of LF', '\n', '\n\n'],
    ['CRLF behind the header and LF behind the rows', '\r\n', '\n'],
    ['LF behind the header and CRLF behind the rows', '\n', '\r\n'],
  ])('stores the recipients of a file as they were written: %s', async (_case, afterHeader, afterRow) => {
    const tenant = await installation.addTenant({ name: 'Lines' });
    const file = join(folder, 'lines.csv');
    const rest = 'email,0,2026-01-05T09:00:00Z,2026-01-06T09:00:00Z';
    const rows = [
      `r-1,${rest},responded`,
      `"r-2",${rest},unsubscribed`,
      `r-3,${rest},maybe`,
      `r-4,${rest},unsubscribed`,
    ];
    const header = 'recipient_id,channel,sequence_step,sent_at,outcome_at,outcome';
    writeFileSync(file, `${header}${afterHeader}${rows.map((one) => `${one}${afterRow}`).join('')}`);
    const state = ['--state-folder', join(folder, 'state'), '--no-wait'];
    const result = await installation.cli<ImportResult>('import', file, '--key', tenant.apiKey, ...state);
    expect(result).toMatchObject({ accepted: 3, rejected: 1 });
    const stored = await installation.database.query<{ recipient_id: string }>(
      'SELECT recipient_id FROM outcome_events WHERE company_id = $1 ORDER BY recipient_id',
      [tenant.companyId],
    );
    expect(stored.map(({ recipient_id }) => recipient_id)).toEqual(['r-1', 'r-2', 'r-4']);
    const rejects = readFileSync(result.rejectsFile ?? '', 'utf8')
      .trimEnd()
      .split('\n');
    expect(rejects).toEqual([
      `source_row,fault,${header}`,
      expect.stringMatching(/^3,"outcome: .*",r-3,.*,maybe$/),
    ]);
  });

  it('takes the corrected file of rejects as it is, and stores what the first file said', async () => {
    const tenant = await installation.addTenant({ name: 'Corrected' });
    const file = join(folder, 'formulas.csv');
    const ids = ['@jane', '-NxAbC', '+49 170 1', "'=carl", '=1+1, "quoted"'];
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = ids.map(
      (id) => `${cell(id)},email,0,2026-01-05T09:00:00Z,2026-01-06T09:00:00Z,maybe,${cell(`=${id}`)}`,
    );
    const header = 'recipient_id,channel,sequence_step,sent_at,outcome_at,outcome,subject';
    const imported = (path: string) =>
      installation.cli<ImportResult>(
        ...['import', path, '--key', tenant.apiKey, '--state-folder', join(folder, 'state'), '--no-wait'],
      );
    // A file of which nothing was taken ends with 1; one row that is taken makes it a success.
    writeFileSync(file, `${header}\n${rows.join('\n')}\nr-0,email,0,2026-01-05,2026-01-06,responded,=r-0\n`);
    const first = await imported(file);
    expect(first).toMatchObject({ accepted: 1, rejected: ids.length });
    const rejects = readFileSync(first.rejectsFile ?? '', 'utf8');
    expect(rejects).toContain(`,"'@jane",`);
    const corrected = join(folder, 'corrected.csv');
    writeFileSync(corrected, rejects.replaceAll(',maybe,', ',unsubscribed,'));
    expect(await imported(corrected)).toMatchObject({ accepted: ids.length, rejected: 0 });
    const stored = await installation.database.query<{ recipient_id: string; subject: string }>(
      `SELECT recipient_id, subject FROM outcome_events WHERE company_id = $1 AND recipient_id <> 'r-0'`,
      [tenant.companyId],
    );
    expect(stored).toHaveLength(ids.length);
    expect(stored).toEqual(
      expect.arrayContaining(ids.map((id) => ({ recipient_id: id, subject: `=${id}` }))),
    );
  });

  it.each([
    ['semicolons', ';', 'utf8'],
    ['tabs in UTF-16', '\t', 'utf16le'],
  ] as const)(
    'takes a file of events with %s, as spreadsheets write them',
    async (_case, delimiter, encoding) => {
      const tenant = await installation.addTenant({ name: 'Spreadsheet' });
      const file = join(folder, 'spreadsheet.csv');
      const rows = [
        ['recipient_id', 'channel', 'sequence_step', 'sent_at', 'outcome_at', 'outcome', 'subject'],
        ['Zoë', 'email', '0', '2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z', 'unsubscribed', '"a, b; c"'],
      ];
      const content = `\uFEFF${rows.map((cells) => cells.join(delimiter)).join('\r\n')}\r\n`;
      writeFileSync(file, content, encoding);
      const state = ['--state-folder', join(folder, 'state'), '--no-wait'];
      const result = await installation.cli<ImportResult>('import', file, '--key', tenant.apiKey, ...state);
      expect(result).toMatchObject({ accepted: 1, rejected: 0 });
      const stored = await installation.database.query(
        'SELECT recipient_id, subject FROM outcome_events WHERE company_id = $1',
        [tenant.companyId],
      );
      expect(stored).toEqual([{ recipient_id: 'Zoë', subject: 'a, b; c' }]);
    },
  );

  it.each([
    ['no such file', 'missing.csv', undefined, /cannot be read \(ENOENT\)/],
    ['an empty file', 'empty.csv', '', /is empty\. It needs a header row/],
    ['a column that does not exist', 'column.csv', `${HEADER},colour\n${row(1)},red\n`, /UNKNOWN_COLUMN/],
    ['no CSV at all', 'broken.csv', `${HEADER}\n"unbalanced\n`, /not readable as CSV/],
  ])('refuses %s in one line', async (_case, name, content, expected) => {
    const file = join(folder, name);
    if (content !== undefined) writeFileSync(file, content);
    const { code, stdout, stderr } = await installation.cliOutcome('import', file, '--key', apiKey, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^outcomes: /);
  });

  it('says of a file of several requests what is wrong with how many rows, most often first', async () => {
    const tenant = await installation.addTenant({ name: 'Faults' });
    const file = join(folder, 'faults.csv');
    const rows = Array.from({ length: 1_100 }, (_, at) => row(ROWS + 2_000 + at)).map((one, at) => {
      if (at % 100 === 1) return one.replace('email', 'pigeon');
      return at % 2 === 0 ? one.replace('no_response', 'maybe') : one;
    });
    writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
    const arguments_ = ['import', file, '--key', tenant.apiKey, '--no-wait', '--state-folder'];
    const told = await installation.cliOutcome(...arguments_, join(folder, 'told'));
    expect(told.stdout).toMatch(/\n550 rows: outcome: NOT_ALLOWED: .+\n11 rows: channel: NOT_ALLOWED: .+\n/);
    const { stdout } = await installation.cliOutcome(...arguments_, join(folder, 'json'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      rejected: 561,
      faults: [
        { field: 'outcome', code: 'NOT_ALLOWED', events: 550 },
        { field: 'channel', code: 'NOT_ALLOWED', events: 11 },
      ],
    });
  }, 60_000);

  it('names the five faults that most rows have, and says that there are others', async () => {
    const tenant = await installation.addTenant({ name: 'Many faults' });
    const file = join(folder, 'many-faults.csv');
    const wrong = [
      ['no_response', 'maybe'],
      ['email', 'pigeon'],
      ['2026-01-05T09:00:00Z', 'monday'],
      ['2026-01-06T09:00:00Z', 'tuesday'],
      [',0,', ',first,'],
      ['00000000-', 'id-'],
    ].map(([right = '', bad = ''], at) => row(ROWS + 4_000 + at).replace(right, bad));
    writeFileSync(file, `${HEADER}\n${[row(ROWS + 4_100), ...wrong].join('\n')}\n`);
    const state = ['--no-wait', '--state-folder', join(folder, 'many')];
    const { stdout } = await installation.cliOutcome('import', file, '--key', tenant.apiKey, ...state);
    expect(stdout.match(/^1 row: .+$/gm)).toHaveLength(5);
    expect(stdout).toContain('\nand other faults, of no more rows each\n');
  }, 60_000);

  it('fails where every row is rejected, says what to do, and claims no analysis', async () => {
    const tenant = await installation.addTenant({ name: 'Rejected' });
    const file = join(folder, 'all-rejected.csv');
    const rows = Array.from({ length: 501 }, (_, at) => row(ROWS + 10 + at).replace('no_response', 'maybe'));
    writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
    const arguments_ = ['import', file, '--key', tenant.apiKey, '--state-folder', join(folder, 'state')];
    const { code, stdout, stderr } = await installation.cliOutcome(...arguments_, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 0, rejected: 501, counted: null, analysed: null });
    const { rejectsFile } = JSON.parse(stdout) as ImportResult;
    expect(stderr).toContain(
      `All 501 rows were rejected, so nothing was imported. Correct them in ${rejectsFile} and import that file.`,
    );
  }, 60_000);

  it('takes opt-outs and bounces of rejected rows', async () => {
    const tenant = await installation.addTenant({ name: 'Taken anyway' });
    const file = join(folder, 'taken-anyway.csv');
    const bounced = (at: number) =>
      row(ROWS + 600 + at)
        .replace('no_response', 'bounced')
        .replace('2026-01-06', '06.01.2026');
    writeFileSync(file, `${HEADER}\n${row(ROWS + 599)}\n${[0, 1, 2].map(bounced).join('\n')}\n`);
    const result = await installation.cli<ImportResult>(
      ...['import', file, '--key', tenant.apiKey, '--state-folder', join(folder, 'state'), '--no-wait'],
    );
    expect(result).toMatchObject({ accepted: 1, rejected: 3, takenAnyway: { bounced: 3 } });
    const held = await installation.database.query(
      `SELECT recipient_id FROM outcome_events WHERE company_id = $1 AND outcome = 2 ORDER BY 1`,
      [tenant.companyId],
    );
    expect(held).toEqual([0, 1, 2].map((at) => ({ recipient_id: `r-${ROWS + 600 + at}` })));
  }, 60_000);

  it('refuses a key that is not one, and says why', async () => {
    const file = join(folder, 'one.csv');
    writeFileSync(file, `${HEADER}\n${row(1)}\n`);
    const { code, stderr } = await installation.cliOutcome('import', file, '--key', 'svc_nonsense');
    expect(code).toBe(1);
    expect(stderr).toContain('401 self_serve_auth_failed: INVALID_FORMAT');
  });

  it('leaves no state behind when it is done', () => {
    expect(readdirSync(join(folder, 'state')).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});
