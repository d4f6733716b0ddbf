import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { CliFailure } from '../output/cli-failure';

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
 * Cuts a CSV file, plain or gzip, into batches that the service takes. Rows pass through as they were written:
 * what a cell means is for the service to say. Memory stays flat whatever the size.
 * @param skipRows - rows that an earlier import has finished
 */
export async function* csvBatches(file: string, skipRows: number): AsyncGenerator<CsvBatch> {
  const { size, gzip } = await inspect(file);
  const source = createReadStream(file);
  const bytes = gzip ? source.pipe(createGunzip()) : source;
  const parser = parse({ raw: true, bom: true, relax_column_count: true, skip_empty_lines: true });
  const fail = (error: Error) => parser.destroy(error);
  source.once('error', fail);
  bytes.once('error', fail);
  bytes.pipe(parser);
  let header: string | undefined;
  let row = -1;
  let rows: string[] = [];
  let weight = 0;
  const batch = (): CsvBatch => ({
    firstRow: row - rows.length + 1,
    rows,
    header: header ?? '',
    share: size === 0 ? 1 : source.bytesRead / size,
  });
  try {
    for await (const record of parser as AsyncIterable<{ raw: string }>) {
      const text = record.raw.replace(/\r?\n$/, '');
      if (header === undefined) {
        header = text.replace(/^\uFEFF/, '');
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
    throw new CliFailure(`${file} is not readable as CSV after data row ${row + 1}: ${reason(error)}`, {
      cause: error,
    });
  } finally {
    source.destroy();
  }
  if (header === undefined)
    throw new CliFailure(`${file} is empty. It needs a header row with column names.`);
  if (rows.length > 0) yield batch();
}

async function inspect(file: string): Promise<{ size: number; gzip: boolean }> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return { size, gzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new CliFailure(`${file} cannot be read (${reason(error)}). Give a CSV file, plain or gzip.`, {
      cause: error,
    });
  }
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'damaged file';
}
