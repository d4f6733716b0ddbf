import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { CliFailure } from '../output/cli-failure';

/*
 * A backup is gzip over a script that psql understands: a line of version, a line with the header as JSON, for each
 * table a COPY statement, its rows in the text format of COPY and a line "\.", and a last line with the SHA-256 of all
 * lines before it. The schema is not in it: the header names the migrations that make it.
 */

export const FORMAT = '-- outcomes-backup 1';
export const END_OF_ROWS = '\\.';
export const CHECKSUM = '-- sha256 ';

/** Rows of a table and a sum over their hashes, in whatever order they are read. */
export interface TablePrint {
  readonly rows: number;
  readonly print: string;
}

export interface SavedTable extends TablePrint {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface BackupHeader {
  /** Time of the one state of the database that all rows are from, ISO 8601. */
  readonly takenAt: string;
  /** Names of the migrations that had run. */
  readonly migrations: readonly string[];
  readonly tables: readonly SavedTable[];
  /** Numbers that sequences have handed out last; null where none. */
  readonly sequences: Readonly<Record<string, string | null>>;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** @returns columns of a table as a list in SQL */
export function columnList({ columns }: Pick<SavedTable, 'columns'>): string {
  return columns.map(quoted).join(', ');
}

/** @returns the statement that loads a table, without its semicolon */
export function copyStatement(table: Pick<SavedTable, 'name' | 'columns'>): string {
  return `COPY ${quoted(table.name)} (${columnList(table)}) FROM stdin`;
}

/** Reads a backup from front to back: the header, then each table's rows, then the end. Memory is that of one row. */
export class BackupReader {
  private readonly source: AsyncIterator<Buffer, undefined>;
  private readonly hash: Hash = createHash('sha256');
  private rest: Buffer = Buffer.alloc(0);

  private constructor(
    chunks: AsyncIterable<Buffer>,
    private readonly file: string,
  ) {
    this.source = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /** @throws CliFailure where the file is no backup of this program */
  static async open(file: string): Promise<{ reader: BackupReader; header: BackupHeader }> {
    const stream = createReadStream(file);
    const unpacked = createGunzip();
    stream.on('error', (error) => unpacked.destroy(error));
    const reader = new BackupReader(stream.pipe(unpacked), file);
    const first = await reader.line().catch((cause: unknown) => {
      throw reader.damaged('it cannot be read, or is not a backup', cause);
    });
    if (first !== FORMAT) throw reader.damaged('it was not written by this program, or by a newer version');
    return { reader, header: reader.parsed(await reader.line()) };
  }

  private parsed(line: string): BackupHeader {
    try {
      return JSON.parse(line.slice('-- '.length)) as BackupHeader;
    } catch (cause) {
      throw this.damaged('its header is damaged', cause);
    }
  }

  /**
   * The rows of the next table, in the text format of COPY.
   * @throws CliFailure where another table is next, or the file ends early
   */
  async *rowsOf(table: SavedTable): AsyncGenerator<Buffer> {
    if ((await this.line()) !== `${copyStatement(table)};`)
      throw this.damaged(`the rows of ${table.name} are missing or out of place`);
    for (;;) {
      const end = endOfRows(this.rest);
      if (end >= 0) {
        if (end > 0) yield this.take(end);
        await this.line();
        return;
      }
      // Whole lines, so that the last one cannot be half of the mark.
      const whole = this.rest.lastIndexOf('\n') + 1;
      if (whole > 0) yield this.take(whole);
      await this.more();
    }
  }

  /** @throws CliFailure where the file is not, byte for byte, what was written */
  async end(): Promise<void> {
    const sha256 = this.hash.copy().digest('hex');
    if ((await this.line()) !== `${CHECKSUM}${sha256}`) throw this.damaged('its checksum does not match');
    const { done } = await this.source.next();
    if (!done || this.rest.length > 0) throw this.damaged('it has data after its end');
  }

  private async line(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf('\n');
      if (end >= 0) return this.take(end + 1).toString('utf8', 0, end);
      await this.more();
    }
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    this.hash.update(taken);
    return taken;
  }

  private async more(): Promise<void> {
    const next = await this.source.next().catch((cause: unknown) => {
      throw this.damaged('it is truncated or damaged', cause);
    });
    if (next.done) throw this.damaged('it is truncated');
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
  }

  private damaged(why: string, cause?: unknown): CliFailure {
    return new CliFailure(`${this.file} cannot be restored: ${why}. Nothing was restored.`, { cause });
  }
}

const MARK = Buffer.from(`${END_OF_ROWS}\n`);
const MARK_IN_LINES = Buffer.from(`\n${END_OF_ROWS}\n`);

/** @returns where the line that ends the rows begins, in a buffer that begins with a line; -1 where it is not there */
function endOfRows(buffer: Buffer): number {
  if (buffer.subarray(0, MARK.length).equals(MARK)) return 0;
  const at = buffer.indexOf(MARK_IN_LINES);
  return at < 0 ? -1 : at + 1;
}
