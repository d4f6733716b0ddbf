import { Readable } from 'node:stream';
import { areRejects, rejectedCells } from '@outcomes/source-profiles';
import { parse } from 'csv-parse';
import { CliFailure } from '../output/cli-failure';
import { csvRow } from '../output/csv-row';
import { bytesOf, decoded, type Bytes, type SourceFile } from './open-source-file';

export const ROWS_PER_BATCH = 500;
/** A little under the 5 MB that the service takes, for the header. */
const BYTES_PER_BATCH = 4_900_000;

/** Consecutive rows of a file, with their text as it stood there. */
export interface CsvBatch {
  /** Zero-based index of the first row, the header not counted. */
  readonly firstRow: number;
  readonly rows: readonly string[];
  readonly header: string;
  /** Share of the file that was read when the batch was full, 0 to 1. */
  readonly share: number;
}

/**
 * Cuts a CSV file into batches that the service takes. Rows pass through as they were written: what a cell means is for
 * the service to say, and a row ends here where it ends there. What it would not take, such as semicolons or UTF-16, is
 * written anew, cell by cell; a file of rejects becomes again what was rejected. Memory stays flat whatever the size.
 * @param skipRows - rows that an earlier import has finished
 */
export async function* csvBatches(file: SourceFile, skipRows: number): AsyncGenerator<CsvBatch> {
  const source = bytesOf(file);
  let header: string | undefined;
  let row = -1;
  let rows: string[] = [];
  let weight = 0;
  const batch = (): CsvBatch => ({
    firstRow: row - rows.length + 1,
    rows,
    header: header ?? '',
    share: source.share(),
  });
  try {
    for await (const text of linesOf(file, source)) {
      if (header === undefined) {
        header = text;
        continue;
      }
      const length = Buffer.byteLength(text) + 1;
      if (rows.length === ROWS_PER_BATCH || (rows.length > 0 && weight + length > BYTES_PER_BATCH)) {
        yield batch();
        rows = [];
        weight = 0;
      }
      row += 1;
      if (row < skipRows) continue;
      rows.push(text);
      weight += length;
    }
  } catch (error) {
    throw new CliFailure(`${file.path} is not readable as CSV after data row ${row + 1}: ${reason(error)}`, {
      cause: error,
    });
  } finally {
    source.close();
  }
  if (header === undefined)
    throw new CliFailure(`${file.path} is empty. It needs a header row with column names.`);
  if (rows.length > 0) yield batch();
}

/** The header and the rows, each without its line end, with commas. */
async function* linesOf({ text: form, rowEnds }: SourceFile, source: Bytes): AsyncGenerator<string> {
  const parser = parse({
    raw: true,
    bom: true,
    delimiter: form.delimiter,
    record_delimiter: [...rowEnds],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const isUtf8 = form.encoding === 'utf-8';
  const input = Readable.from(isUtf8 ? source.bytes : decoded(source.bytes, form.encoding));
  input.once('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let isOfRejects: boolean | undefined;
  for await (const { raw, record } of parser as AsyncIterable<{ raw: string; record: readonly string[] }>) {
    const isHeader = isOfRejects === undefined;
    isOfRejects ??= areRejects(record);
    if (isOfRejects) yield csvRow(rejectedCells(record));
    else if (!isUtf8 || form.delimiter !== ',') yield csvRow(record);
    // With the byte order mark, the line end, and those of empty lines before it.
    else yield (isHeader ? raw.replace(/^\uFEFF/, '') : raw).replace(/^[\r\n]+|[\r\n]+$/g, '');
  }
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'damaged file';
}
