import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@outcomes/contracts';
import { parse, type Parser } from 'csv-parse';
import { MAX_EVENTS } from '../validation/parse-events';
import { readHeader, type CsvColumn } from './csv-columns';
import { readRow, type CsvRow } from './read-row';
import { RowWidth } from './row-width';

/** Parsed in pieces, so that five megabytes do not hold up the other requests. */
const PIECE_BYTES = 64 * 1_024;

/**
 * Reads the body of POST /ingest/csv: RFC 4180, UTF-8 with or without a byte order mark, a header row first.
 * @returns the data rows in order
 * @throws AppError INVALID_ENCODING, INVALID_CSV, UNKNOWN_COLUMN, DUPLICATE_COLUMN, MISSING_COLUMN or
 * TOO_MANY_EVENTS: nothing of the request is stored then
 */
export async function parseCsv(body: Buffer): Promise<readonly CsvRow[]> {
  if (!isUtf8(body)) throw new AppError('INVALID_ENCODING');
  const parser = parse({
    bom: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
  });
  const collector = new RowCollector(parser);
  const width = new RowWidth();
  try {
    for (let start = 0; start < body.length; start += PIECE_BYTES) {
      const piece = body.subarray(start, start + PIECE_BYTES);
      if (!width.takes(piece)) throw new AppError('INVALID_CSV');
      parser.write(piece);
      await nextTurn();
      collector.check();
    }
    return await collector.finish();
  } finally {
    parser.destroy();
  }
}

class RowCollector {
  private columns?: readonly CsvColumn[];
  private readonly rows: CsvRow[] = [];
  private failure?: AppError;
  private readonly ended: Promise<void>;

  constructor(private readonly parser: Parser) {
    this.ended = new Promise((resolve) => {
      parser.once('end', resolve);
      parser.once('error', (error: Error) => {
        this.failure ??= new AppError('INVALID_CSV', lineOf(error), { cause: error });
        resolve();
      });
    });
    parser.on('data', (cells: string[]) => this.take(cells));
  }

  /** Stops a body that is refused already. */
  check(): void {
    if (this.failure) throw this.failure;
  }

  async finish(): Promise<readonly CsvRow[]> {
    this.parser.end();
    await this.ended;
    this.check();
    if (!this.columns) throw new AppError('INVALID_CSV');
    return this.rows;
  }

  private take(cells: string[]): void {
    if (this.failure) return;
    try {
      if (!this.columns) this.columns = readHeader(cells);
      else if (this.rows.length === MAX_EVENTS) throw new AppError('TOO_MANY_EVENTS', { limit: MAX_EVENTS });
      else this.rows.push(readRow(this.columns, cells));
    } catch (error) {
      this.failure = error instanceof AppError ? error : new AppError('INVALID_CSV', {}, { cause: error });
    }
  }
}

/** Where the parser gave up; its message quotes the data and stays behind. */
function lineOf(error: Error): { readonly line?: number } {
  return 'lines' in error && typeof error.lines === 'number' ? { line: error.lines } : {};
}
