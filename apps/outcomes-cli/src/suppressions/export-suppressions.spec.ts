import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { exportSuppressions } from './export-suppressions';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

const page = (
  recipients: readonly string[],
  next_cursor: string,
  has_more: boolean,
  more: object = {},
): Answer => ({
  status: 200,
  body: {
    success: true,
    data: {
      suppressions: [
        {
          ...{ change: 'added', reason: 'unsubscribed', bounce: null, channel: 'email', email_hash: null },
          ...{ since: '2026-01-05T09:00:00.000Z', changed_at: '2026-01-05T09:00:00.000Z' },
          ...{ recipient_ids: recipients, recipient_id_sha256: 'a', suppression_id: 'b', ...more },
        },
      ],
      ...{ next_cursor, has_more },
    },
  },
});
const refused = (status: number, error: string, headers: Record<string, string> = {}): Answer => ({
  ...{ status, headers, body: { success: false, error, message: 'Come back later.', requestId: 'r' } },
});

describe('exporting suppressions', () => {
  let folder: string;
  let file: string;
  let server: Server;
  let answers: Answer[];
  let asked: string[];
  let remarks: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-suppressions-'));
    file = join(folder, 'list.csv');
    [asked, remarks] = [[], ''];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      remarks += String(text);
      return true;
    });
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { status, headers, body } = answers.shift() ?? refused(500, 'INTERNAL_ERROR');
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const exported = (cursor?: string) =>
    exportSuppressions(file, {
      cursor,
      readApiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'svc_key',
    });

  it('waits where the key has used up its window, says so, and goes on', async () => {
    answers = [
      page(['ada'], 'c1', true),
      refused(429, 'RATE_LIMITED', { 'Retry-After': '0' }),
      page(['bert'], 'c2', false),
    ];
    expect(await exported()).toEqual({ file, entries: 2, nextCursor: 'c2' });
    expect(asked.map((url) => new URL(url, 'http://x').searchParams.get('cursor'))).toEqual([
      null,
      'c1',
      'c1',
    ]);
    expect(remarks).toMatch(/^waiting: the key has used up the requests of its window; next try in 1 s\n$/);
    expect(readFileSync(file, 'utf8')).toMatch(/\r\nadded,.*,"\[""ada""\]",.*\r\nadded,.*,"\[""bert""\]",/);
  });

  it('tells of who was taken off while the list was read, and not of who was off it before', async () => {
    const removed = { change: 'removed', recipient_id_sha256: null };
    answers = [
      page([], 'c1', true, { ...removed, suppression_id: 'before' }),
      page(['ada'], 'c2', true, { suppression_id: 'meanwhile' }),
      page([], 'c3', false, { ...removed, suppression_id: 'meanwhile' }),
    ];
    expect(await exported()).toEqual({ file, entries: 2, nextCursor: 'c3' });
    const rows = parse<Record<string, string>>(readFileSync(file), { columns: true });
    expect(rows.map(({ change, suppression_id }) => [change, suppression_id])).toEqual([
      ['added', 'meanwhile'],
      ['removed', 'meanwhile'],
    ]);
    answers = [page([], 'c4', false, { ...removed, suppression_id: 'before' })];
    expect(await exported('c3')).toEqual({ file, entries: 1, nextCursor: 'c4' });
  });

  it.each([
    [['-NxAbC']],
    [['@jane']],
    [['=SUM(A1)']],
    [['+49 170 1234567']],
    [['John Doe', 'John', 'Doe']],
    [['a","b', 'c;d', "'-e"]],
    [[]],
  ])('writes ids that a reader of CSV and JSON finds as they were sent: %j', async (ids) => {
    answers = [page(ids, 'c1', false)];
    await exported();
    const [row] = parse<Record<string, string>>(readFileSync(file), { columns: true });
    expect(JSON.parse(row?.recipient_ids ?? '')).toEqual(ids);
    expect(row?.recipient_ids).toMatch(/^\[/);
  });

  it('writes a file that nobody else may read', async () => {
    answers = [page(['ada'], 'c1', false)];
    await exported();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names the file that was asked for where it cannot be written', async () => {
    answers = [page(['ada'], 'c1', false)];
    file = join(folder, 'nowhere/list.csv');
    await expect(exported()).rejects.toMatchObject({
      ...{ name: 'CliFailure', message: `${file} cannot be written (ENOENT).` },
    });
  });

  it('leaves no file where it is refused, and says why', async () => {
    answers = [page(['ada'], 'c1', true), refused(401, 'self_serve_auth_failed')];
    await expect(exported()).rejects.toThrow(
      'the service refused the request: 401 self_serve_auth_failed: Come back later. Check --key or OUTCOMES_API_KEY.',
    );
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false]);
  });
});
