import type { Hostile } from './hostile-requests.ts';
import { smallEvent } from './requests.ts';

const mebibyte = 1_024 * 1_024;

export function csvRequests(): Hostile[] {
  const columns = ['channel', 'sequence_step', 'recipient_id', 'sent_at', 'outcome_at', 'outcome', 'subject'];
  const head = columns.join(',');
  let count = 0;
  const row = (subject = 'Hello', more = '') => {
    count += 1;
    return `email,0,csv-${Date.now()}-${count},2026-01-05T09:30:00Z,2026-01-08T09:30:00Z,no_response,${subject}${more}`;
  };
  const rows = (length: number) => Array.from({ length }, () => row());
  const sheet = (lines: string[], end = '\n') => [head, ...lines].join(end);
  const padded = (bytes: number) => {
    const text = `${sheet([row()])}\n`;
    return text + '\n'.repeat(bytes - text.length);
  };
  const list: Hostile[] = [
    { name: '500 rows', status: 202, accepted: 500, body: sheet(rows(500)) },
    { name: '501 rows', status: 413, body: sheet(rows(501)) },
    { name: '5 MiB', status: 202, accepted: 1, body: padded(5 * mebibyte), isLarge: true },
    { name: 'a byte more than 5 MiB', status: 413, body: padded(5 * mebibyte + 1), isLarge: true },
    { name: 'a byte order mark', status: 202, accepted: 2, body: `\ufeff${sheet(rows(2))}` },
    { name: 'CRLF', status: 202, accepted: 2, body: sheet(rows(2), '\r\n') },
    {
      name: 'quoted newlines',
      status: 202,
      accepted: 2,
      body: sheet([row('"Hello,\n""you"""'), row('"\r\n"')]),
    },
    { name: 'an unbalanced quote', status: 400, body: sheet([row('"Hello')]) },
    { name: 'a quote in the middle', status: 400, body: sheet([row('Hel"lo')]) },
    { name: 'a wide row', status: 202, accepted: 1, body: sheet([row('Hello', ',1,2,3'), row()]) },
    { name: 'a narrow row', status: 202, accepted: 1, body: sheet(['email,0', row()]) },
    { name: 'a header twice', status: 400, body: `${head},subject\n${row('Hello', ',Hello')}` },
    { name: 'an unknown header', status: 400, body: `${head},surprise\n${row('Hello', ',1')}` },
    { name: 'a header missing', status: 400, body: 'channel,outcome\nemail,no_response' },
    { name: 'header only', status: 202, accepted: 0, body: head },
    { name: 'nothing', status: 400, body: '' },
    { name: '__proto__ as a header', status: 400, body: `${head},__proto__\n${row('Hello', ',1')}` },
    { name: 'NUL in a cell', status: 202, accepted: 1, body: sheet([row('a\0b'), row()]) },
    {
      name: '2026-02-30 in a cell',
      status: 202,
      accepted: 1,
      body: sheet([row().replace('2026-01-05', '2026-02-30'), row()]),
    },
    {
      name: 'no UTF-8',
      status: 400,
      body: Buffer.concat([Buffer.from(`${head}\n`), Buffer.from([0xff, 0xfe])]),
    },
    {
      name: 'one cell of 5 MiB',
      status: 202,
      accepted: 0,
      body: sheet([row('x'.repeat(5 * mebibyte - 400))]),
      isLarge: true,
    },
    { name: '2.5 M cells in a row', status: 400, body: sheet([','.repeat(2_500_000)]), isLarge: true },
    { name: '5 MiB of quotes', status: 0, body: sheet(['"'.repeat(5 * mebibyte - 400)]), isLarge: true },
    {
      name: '100,000 columns',
      status: 0,
      body: Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(','),
      isLarge: true,
    },
    { name: 'JSON', status: 400, body: JSON.stringify(smallEvent()) },
  ];
  return list.map((hostile) => ({
    type: 'text/csv',
    path: '/ingest/csv',
    ...hostile,
    name: `CSV: ${hostile.name}`,
  }));
}
