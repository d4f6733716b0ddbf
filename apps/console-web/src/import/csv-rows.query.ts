import { areRejects, rejectedCells, textFormOf, type TextForm } from '@outcomes/source-profiles';
import Papa from 'papaparse';

const HEAD_BYTES = 65_536;
const SLICE_BYTES = 1_048_576;
/** More than a request may carry: a row that is longer has a quote that no other closes. */
const LONGEST_ROW = 8 * SLICE_BYTES;

export interface CsvRow {
  /** Its cells by the names of their columns. */
  readonly row: Readonly<Record<string, string>>;
  /** How many it has: another number than there are columns shifts what they hold. */
  readonly cells: number;
  /** From 1, the header not counted. */
  readonly number: number;
  readonly columns: readonly string[];
}

/**
 * Every row of a CSV, in order; of a file of rejects, what was rejected. Memory does not follow its size.
 * @throws Error with a sentence for whoever chose the file, where quotes do not match: the rows behind would be one cell
 */
export async function* csvRows(file: Blob): AsyncGenerator<CsvRow> {
  const { encoding, delimiter } = textFormOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  let parser: Papa.Parser | undefined;
  let columns: readonly string[] | undefined;
  let isOfRejects: boolean | undefined;
  let [held, number] = ['', 0];
  for await (const { text, isLast } of textOf(file, encoding)) {
    held += text;
    parser ??= new Papa.Parser({
      ...{ delimiter, newline: newlineOf(held, delimiter) },
      ...{ header: true, transformHeader: (name: string) => name.trim() },
    });
    const { data, errors, meta } = parser.parse(held, 0, !isLast) as Papa.ParseResult<string[]>;
    held = held.slice(meta.cursor);
    // A row that is not whole yet is read again with what follows.
    const broken = errors.find(({ type }) => type === 'Quotes')?.row;
    for (const [at, read] of data.entries()) {
      if (at === broken) throw unreadable(columns && number + 1);
      if (read.length === 1 && read[0] === '') continue;
      isOfRejects ??= areRejects(read);
      const cells = isOfRejects ? rejectedCells(read) : read;
      if (!columns) {
        columns = cells;
        continue;
      }
      number += 1;
      yield { row: rowOf(columns, cells), cells: cells.length, number, columns };
    }
    if (held.length > LONGEST_ROW) throw unreadable(columns && number + 1);
  }
}

/** Decoded as a whole: a character may lie across two slices. */
async function* textOf(file: Blob, encoding: TextForm['encoding']) {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const slice = await file.slice(at, at + SLICE_BYTES).arrayBuffer();
    const isLast = at + SLICE_BYTES >= file.size;
    yield { text: decoder.decode(slice, { stream: !isLast }), isLast };
  }
}

const newlineOf = (text: string, delimiter: string) =>
  Papa.parse(text, { delimiter, preview: 1 }).meta.linebreak as '\n' | '\r' | '\r\n';

function rowOf(columns: readonly string[], cells: readonly string[]): CsvRow['row'] {
  const named = cells.slice(0, columns.length).map((cell, at) => [columns[at] ?? '', cell] as const);
  return Object.fromEntries(named);
}

/** @param number - undefined for the header */
function unreadable(number: number | undefined): Error {
  const where = number === undefined ? 'The header' : `Row ${number}`;
  return new Error(
    `${where} is not readable as CSV: its quotes do not match. A quote within a text has to be doubled.`,
  );
}
