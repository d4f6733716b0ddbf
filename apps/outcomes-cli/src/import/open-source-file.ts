import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { textFormOf, type SourceRecord, type TextForm } from '@outcomes/source-profiles';
import { mailRecords, mboxMessages } from '@outcomes/source-profiles/mailbox';
import { CliFailure } from '../output/cli-failure';

const HEAD_BYTES = 64 * 1024;
const FIRST_ROW_ENDS_BY_CR = /^(?:[^"\r\n]|"[^"]*")*\r(?!\r?\n)/;
/** A JSON document is read whole; lists that are longer go as one object a line. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** A file of records, and how it is written. */
export interface SourceFile {
  readonly path: string;
  readonly form: 'csv' | 'json' | 'mailbox';
  readonly text: TextForm;
  /** What ends a row: what does for ingest-api, or CR where the first row ends by it alone. */
  readonly rowEnds: readonly string[];
  readonly isGzip: boolean;
  readonly bytes: number;
}

export interface SourceRow {
  readonly record: SourceRecord;
  /** From 1, the header not counted. */
  readonly row: number;
  /** Share of the file that was read, 0 to 1. */
  readonly share: number;
}

/** @throws CliFailure where there is no such file, or nothing in it */
export async function openSourceFile(path: string): Promise<SourceFile> {
  const { bytes, isGzip } = await inspect(path);
  const head = await headOf(path, isGzip);
  if (head.length === 0) throw new CliFailure(`${path} is empty. It needs a header row with column names.`);
  const text = textFormOf(head);
  const beginning = new TextDecoder(text.encoding).decode(head).replace(/^\uFEFF/, '');
  const rowEnds = FIRST_ROW_ENDS_BY_CR.test(beginning) ? ['\r'] : ['\r\n', '\n'];
  return { path, isGzip, bytes, text, rowEnds, form: formOf(path, beginning) };
}

function formOf(path: string, beginning: string): SourceFile['form'] {
  if (/^\s*[[{]/.test(beginning)) return 'json';
  const isMail = /\.(mbox|eml)(\.gz)?$/i.test(path) || /^From \S+ .*\d{4}\r?\n/.test(beginning);
  return isMail ? 'mailbox' : 'csv';
}

/** The columns of a file of rows. */
export async function columnsOf(file: SourceFile): Promise<readonly string[]> {
  for await (const { record } of readRows(file, false)) return Object.values(record).map(String);
  return [];
}

/**
 * Reads a file record by record. Memory does not follow its size.
 * @param own - addresses of a mailbox's owner
 */
export function readRecords(file: SourceFile, own: ReadonlySet<string>): AsyncGenerator<SourceRow> {
  if (file.form === 'csv') return readRows(file, true);
  return file.form === 'json' ? readObjects(file) : readMails(file, own);
}

async function* readRows(file: SourceFile, hasColumns: boolean): AsyncGenerator<SourceRow> {
  const source = bytesOf(file);
  const parser = parse({
    bom: true,
    delimiter: file.text.delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    ...(hasColumns
      ? { columns: (header: string[]) => header.map((column) => column.trim()) }
      : { to: 1, record_delimiter: [...file.rowEnds] }),
  });
  const text = Readable.from(decoded(source.bytes, file.text.encoding));
  text.once('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let row = 0;
  try {
    for await (const found of parser as AsyncIterable<SourceRecord | readonly string[]>) {
      row += 1;
      yield { record: { ...found }, row, share: source.share() };
    }
  } catch (error) {
    throw new CliFailure(`${file.path} is not readable as CSV after data row ${row}.`, { cause: error });
  } finally {
    source.close();
  }
}

async function* readObjects(file: SourceFile): AsyncGenerator<SourceRow> {
  const source = bytesOf(file);
  let row = 0;
  const rowOf = (record: SourceRecord): SourceRow => ({ record, row: (row += 1), share: source.share() });
  let held = '';
  let hasLine = false;
  let isByLine: boolean | undefined;
  try {
    for await (const text of decoded(source.bytes, file.text.encoding)) {
      held += text;
      if (held.length > MAX_DOCUMENT_BYTES) {
        throw new CliFailure(
          `${file.path} is one JSON document of more than 64 MB. Write one object per line (jq -c '.[]').`,
        );
      }
      // A first line that is whole, with another behind it, makes it a file of lines.
      hasLine ||= text.includes('\n');
      if (hasLine) isByLine ??= firstLineIsWhole(held);
      if (!isByLine) continue;
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) for (const record of recordsOfLine(line, row, file.path)) yield rowOf(record);
    }
    const rest = isByLine ? recordsOfLine(held, row, file.path) : recordsIn(held, file.path);
    for (const record of rest) yield rowOf(record);
  } finally {
    source.close();
  }
}

/** @returns undefined as long as nobody can tell */
function firstLineIsWhole(text: string): boolean | undefined {
  const lines = text.trimStart().split('\n', 2);
  if (lines.length < 2 || lines[1]?.trim() === '') return undefined;
  return parsed(lines[0] ?? '') !== undefined;
}

/** Of one payload, which may be a list. */
function recordsOfLine(line: string, row: number, path: string): readonly SourceRecord[] {
  if (line.trim() === '') return [];
  const value = parsed(line);
  if (value === undefined) throw new CliFailure(`${path}: the line after row ${row} is not a JSON object.`);
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The objects of a list, of the one list of an object, or the object. */
function recordsIn(text: string, path: string): readonly SourceRecord[] {
  const value = parsed(text);
  if (value === undefined) throw new CliFailure(`${path} is not valid JSON.`);
  const lists = isObject(value)
    ? Object.values(value).filter((one) => Array.isArray(one) && one.some(isObject))
    : [];
  const list = Array.isArray(value) ? value : lists.length === 1 ? (lists[0] as unknown[]) : [value];
  return list.filter(isObject);
}

function isObject(value: unknown): value is SourceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function* readMails(file: SourceFile, own: ReadonlySet<string>): AsyncGenerator<SourceRow> {
  const source = bytesOf(file);
  let row = 0;
  try {
    for await (const mail of mboxMessages(source.bytes)) {
      row += 1;
      for (const record of await mailRecords(mail, own)) yield { record, row, share: source.share() };
    }
  } finally {
    source.close();
  }
}

export interface Bytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  share(): number;
  close(): void;
}

export function bytesOf({ path, isGzip, bytes }: SourceFile): Bytes {
  const source: ReadStream = createReadStream(path);
  const stream = isGzip ? source.pipe(createGunzip()) : source;
  source.once('error', (error) => stream.destroy(error));
  return {
    bytes: stream as AsyncIterable<Uint8Array>,
    share: () => (bytes === 0 ? 1 : Math.min(source.bytesRead / bytes, 1)),
    close: () => {
      source.destroy();
      stream.destroy();
    },
  };
}

export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function headOf(path: string, isGzip: boolean): Promise<Uint8Array> {
  const source = bytesOf({ path, isGzip, bytes: 0 } as SourceFile);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source.bytes) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD_BYTES) break;
    }
  } catch (error) {
    throw new CliFailure(`${path} cannot be read: it is damaged.`, { cause: error });
  } finally {
    source.close();
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

async function inspect(path: string): Promise<{ bytes: number; isGzip: boolean }> {
  try {
    const { size } = await stat(path);
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return { bytes: size, isGzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'damaged file';
    throw new CliFailure(
      `${path} cannot be read (${reason}). Give a CSV, JSON or mbox file, plain or gzip.`,
      { cause: error },
    );
  }
}
