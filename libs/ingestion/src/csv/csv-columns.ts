import { AppError } from '@outcomes/contracts';
import { isForbiddenKey } from '../validation/metadata-faults';
import { EVENT_FIELDS } from '../validation/outcome-event';
import { missingColumn } from '../validation/required-fields';

const METADATA_PREFIX = 'metadata.';
const MAX_COLUMNS = 200;
const SHOWN_CHARACTERS = 64;

/** Where the cells of one column go. */
export interface CsvColumn {
  readonly field: string;
  /** Set where the column is one key of metadata. */
  readonly metadataKey?: string;
}

/**
 * Reads the header row: names of event fields in any order, `metadata` as JSON or as `metadata.<key>` columns.
 * Columns that some rows can do without may be missing, as long as some row can be an event.
 * @throws AppError UNKNOWN_COLUMN, DUPLICATE_COLUMN or MISSING_COLUMN, naming the column
 */
export function readHeader(header: readonly string[]): readonly CsvColumn[] {
  if (header.length > MAX_COLUMNS)
    throw new AppError('INVALID_CSV', {}, { message: `A CSV has at most ${MAX_COLUMNS} columns.` });
  const names = header.map((name) => name.trim());
  const seen = new Set<string>();
  for (const name of names) {
    if (!isKnown(name)) throw unknownColumn(name);
    if (seen.has(name)) throw columnError('DUPLICATE_COLUMN', 'The CSV header names a column twice', name);
    seen.add(name);
  }
  const missing = missingColumn((field) => seen.has(field));
  if (missing) throw columnError('MISSING_COLUMN', 'The CSV header lacks a required column', missing);
  return names.map((name) =>
    name.startsWith(METADATA_PREFIX)
      ? { field: 'metadata', metadataKey: name.slice(METADATA_PREFIX.length) }
      : { field: name },
  );
}

function isKnown(name: string): boolean {
  if (EVENT_FIELDS.has(name)) return true;
  const key = name.slice(METADATA_PREFIX.length);
  return name.startsWith(METADATA_PREFIX) && key !== '' && !isForbiddenKey(key);
}

/** What other programs write between cells, and what it is called. */
const OTHER_DELIMITERS = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as const;

function unknownColumn(name: string): AppError {
  for (const [delimiter, plural] of Object.entries(OTHER_DELIMITERS)) {
    // Two names at least: a column of that name would not be known either.
    if (name.split(delimiter).filter((part) => isKnown(part.trim())).length < 2) continue;
    const advice = `The cells are separated by ${plural}. Separate them by commas (RFC 4180); the header begins with`;
    return columnError('UNKNOWN_COLUMN', advice, name);
  }
  return columnError(
    'UNKNOWN_COLUMN',
    'The CSV header names a column that does not exist',
    name,
    ` The columns are: ${[...EVENT_FIELDS].join(', ')}, and ${METADATA_PREFIX}<key> for a key of metadata.`,
  );
}

function columnError(
  code: 'UNKNOWN_COLUMN' | 'DUPLICATE_COLUMN' | 'MISSING_COLUMN',
  sentence: string,
  name: string,
  more = '',
): AppError {
  const column = printable(name);
  return new AppError(code, { column }, { message: `${sentence}: "${column}".${more}` });
}

/** A header cell may be anything at all; what comes back in a message is short and has no control characters. */
function printable(name: string): string {
  return name.replaceAll('\t', ' ').replace(/\p{C}/gu, '').slice(0, SHOWN_CHARACTERS).toWellFormed();
}
