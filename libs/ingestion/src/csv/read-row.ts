import { parseJson } from '@outcomes/platform';
import { fault, type FieldFault } from '../validation/field-fault';
import { keepsWithin } from '../validation/json-structure';
import type { CsvColumn } from './csv-columns';

export type CsvRow =
  | { readonly event: Readonly<Record<string, unknown>>; readonly faults?: undefined }
  | {
      readonly faults: readonly FieldFault[];
      /** What its cells say if they stand below their columns: all but certain. */
      readonly guess: Readonly<Record<string, unknown>>;
    };

const INTEGER_FIELDS: ReadonlySet<string> = new Set(['sequence_step', 'word_count']);
const DIGITS = /^\d{1,15}$/;
const METADATA_STRUCTURE = {
  depth: 64,
  members: 10_000,
  containers: 10_000,
  values: 10_000,
  digits: 100_000,
};

/**
 * Turns the cells of one row into an event in wire form. An empty cell is an absent field. A cell that does not
 * hold what its field needs stays text, and the validation of events says what is wrong with it.
 */
export function readRow(columns: readonly CsvColumn[], cells: readonly string[]): CsvRow {
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} cells, the header ${columns.length}. Quote cells that hold commas.`;
    return { faults: [fault('', 'INVALID_ROW', message)], guess: eventOf(columns, cells) };
  }
  return { event: eventOf(columns, cells) };
}

function eventOf(columns: readonly CsvColumn[], cells: readonly string[]): Record<string, unknown> {
  const event: Record<string, unknown> = {};
  const keys: [string, unknown][] = [];
  columns.forEach(({ field, metadataKey }, at) => {
    const cell = cells[at] ?? '';
    if (cell === '') return;
    if (metadataKey !== undefined) keys.push([metadataKey, flagOrText(cell)]);
    else event[field] = valueOf(field, cell);
  });
  if (keys.length > 0) event.metadata = withKeys(event.metadata, keys);
  return event;
}

function valueOf(field: string, cell: string): unknown {
  if (INTEGER_FIELDS.has(field)) return DIGITS.test(cell) ? Number(cell) : cell;
  return field === 'metadata' ? parsed(cell) : cell;
}

function parsed(cell: string): unknown {
  if (!keepsWithin(Buffer.from(cell), METADATA_STRUCTURE)) return cell;
  try {
    return parseJson(cell);
  } catch {
    return cell;
  }
}

/**
 * `metadata.opened` and `metadata.meeting_booked` are flags. Other cells stay text, "007" and "0.5" included: where the
 * type matters, the JSON column says it.
 */
function flagOrText(cell: string): string | boolean {
  if (cell === 'true') return true;
  return cell === 'false' ? false : cell;
}

/** A `metadata.<key>` column goes before the same key of the JSON column. */
function withKeys(metadata: unknown, keys: readonly [string, unknown][]): unknown {
  // A JSON column that says null says nothing.
  if (metadata === undefined || metadata === null) return Object.fromEntries(keys);
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return metadata;
  return Object.fromEntries([...Object.entries(metadata), ...keys]);
}
