import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvBatches } from './csv-batches';
import { openSourceFile } from './open-source-file';

describe('batches of a CSV file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-csv-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const linesOf = async (content: string | Buffer) => {
    const file = join(folder, 'rows.csv');
    writeFileSync(file, content);
    const lines: string[] = [];
    for await (const { header, rows } of csvBatches(await openSourceFile(file), 0)) {
      if (lines.length === 0) lines.push(header);
      lines.push(...rows);
    }
    return lines;
  };

  it.each([
    ['LF', 'id,note\na,1\nb,2\n'],
    ['CRLF', 'id,note\r\na,1\r\nb,2\r\n'],
    ['CR', 'id,note\ra,1\rb,2\r'],
    ['CR doubled on its way through Windows', 'id,note\r\r\na,1\r\r\nb,2\r\r\n'],
    ['CRLF behind the header, LF behind the rows', 'id,note\r\na,1\nb,2\n'],
    ['LF behind the header, CRLF behind the rows', 'id,note\na,1\r\nb,2\r\n'],
    ['nothing at the end of the file', 'id,note\r\na,1\r\nb,2'],
    ['empty lines of LF', '\nid,note\n\n\na,1\n\nb,2\n\n'],
    ['empty lines of CRLF', '\r\nid,note\r\n\r\n\r\na,1\r\n\r\nb,2\r\n\r\n'],
    ['empty lines of CR', '\rid,note\r\r\ra,1\r\rb,2\r\r'],
    ['a byte order mark and an empty line', '\uFEFF\r\nid,note\r\na,1\r\nb,2\r\n'],
  ])('have each row as it was written, without its line end: %s', async (_case, content) => {
    expect(await linesOf(content)).toEqual(['id,note', 'a,1', 'b,2']);
  });

  it.each([
    ['semicolons', ';', 'utf8', ''],
    ['tabs', '\t', 'utf8', '\uFEFF'],
    ['commas in UTF-16', ',', 'utf16le', '\uFEFF'],
    ['semicolons in UTF-16', ';', 'utf16le', '\uFEFF'],
    ['tabs in UTF-16 without a byte order mark', '\t', 'utf16le', ''],
  ] as const)(
    'have commas, and the same cells, where the file has %s',
    async (_case, delimiter, encoding, mark) => {
      const rows = [
        ['id', 'note', 'more'],
        ['é', '"a,b"', ''],
        ['"c;d\te"', '"say ""f"""', '"two\r\nlines"'],
      ];
      const content = `${mark}${rows.map((cells) => cells.join(delimiter)).join('\r\n')}\r\n`;
      expect(await linesOf(Buffer.from(content, encoding))).toEqual([
        'id,note,more',
        'é,"a,b",',
        'c;d\te,"say ""f""","two\r\nlines"',
      ]);
    },
  );

  it('keep line ends within quotes', async () => {
    const rows = ['"\r\na\n","1\r"', '"b","""\n"""'];
    expect(await linesOf(`id,note\r\n\r\n${rows.join('\r\n\r\n')}\r\n`)).toEqual(['id,note', ...rows]);
  });
});
