import { DAY_MS } from '@outcomes/contracts';
import { binaryArray } from '@outcomes/persistence';

/** One parameter of `unnest`: a column of many rows, as an array in Postgres' binary form. */
export interface BinaryColumn<Row> {
  readonly name: string;
  /** Postgres type of one value. */
  readonly type: string;
  /** @param rows - at least one */
  encode(rows: readonly Row[]): Buffer;
}

type Read<Row, Value> = (row: Row) => Value | null;

/** Dimensions, flags, element type, length and lower bound; each value follows behind its own length. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const BYTEA_OID = 17;

function writeHeader(buffer: Buffer, elementOid: number, count: number): void {
  buffer.writeInt32BE(1, 0);
  // "May hold nulls": Postgres looks for itself.
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(elementOid, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16);
}

function fixedWidth<Value>(
  type: string,
  oid: number,
  bytes: number,
  write: (buffer: Buffer, value: Value, at: number) => void,
) {
  return <Row>(name: string, read: Read<Row, Value>): BinaryColumn<Row> => ({
    name,
    type,
    encode(rows) {
      const buffer = Buffer.allocUnsafe(HEADER_BYTES + rows.length * (LENGTH_BYTES + bytes));
      writeHeader(buffer, oid, rows.length);
      let at = HEADER_BYTES;
      for (const row of rows) {
        const value = read(row);
        at = buffer.writeInt32BE(value === null ? NULL_LENGTH : bytes, at);
        if (value === null) continue;
        write(buffer, value, at);
        at += bytes;
      }
      return buffer.subarray(0, at);
    },
  });
}

export const booleans = fixedWidth<boolean>('boolean', 16, 1, (buffer, value, at) => {
  buffer[at] = value ? 1 : 0;
});
export const smallints = fixedWidth<number>('smallint', 21, 2, (buffer, value, at) => {
  buffer.writeInt16BE(value, at);
});
export const integers = fixedWidth<number>('integer', 23, 4, (buffer, value, at) => {
  buffer.writeInt32BE(value, at);
});

export const reals = fixedWidth<number>('real', 700, 4, (buffer, value, at) => {
  buffer.writeFloatBE(value, at);
});

/** Postgres counts microseconds from the beginning of 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

/** Values are whole milliseconds since 1970. */
export const timestamps = fixedWidth<number>('timestamptz', 1184, 8, (buffer, epochMs, at) => {
  const microseconds = (epochMs - POSTGRES_EPOCH_MS) * 1_000;
  const high = Math.floor(microseconds / TWO_TO_32);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(microseconds - high * TWO_TO_32, at + 4);
});

/** Values are days as YYYY-MM-DD. */
export const days = fixedWidth<string>('date', 1082, 4, (buffer, day, at) => {
  buffer.writeInt32BE((Date.parse(day) - POSTGRES_EPOCH_MS) / DAY_MS, at);
});

/** Where in the text of a UUID each of its bytes begins. */
const UUID_DIGITS = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);
const HEXADECIMAL = new Uint8Array(128);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  for (const form of [digit, digit.toUpperCase()]) HEXADECIMAL[form.charCodeAt(0)] = value;
}

/** Values are UUIDs in their text form. */
export const uuids = fixedWidth<string>('uuid', 2950, UUID_DIGITS.length, (buffer, text, at) => {
  for (let byte = 0; byte < UUID_DIGITS.length; byte += 1) {
    const digit = UUID_DIGITS[byte] as number;
    const high = HEXADECIMAL[text.charCodeAt(digit)] as number;
    buffer[at + byte] = (high << 4) | (HEXADECIMAL[text.charCodeAt(digit + 1)] as number);
  }
});

/** Ids for `unnest($n::uuid[])`: the driver would write an array out as text, and Postgres parse it. */
export const uuidArray = (ids: readonly string[]): Buffer => UUIDS.encode(ids);
const UUIDS = uuids<string>('id', (id) => id);

/** Values are 16 bytes. */
export const digests = fixedWidth<Buffer>('bytea', BYTEA_OID, 16, (buffer, digest, at) => {
  buffer.set(digest, at);
});

/** Values of any length. */
export function byteStrings<Row>(name: string, read: (row: Row) => Buffer): BinaryColumn<Row> {
  return { name, type: 'bytea', encode: (rows) => binaryArray(rows.map(read)) };
}

/** Shorter texts are quicker written in JavaScript than by a call into Node. */
const SHORT_TEXT = 40;
/** Most bytes in UTF-8 of one unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3;
/** The first byte of jsonb in binary form: the version of that form. */
const JSONB_VERSION = 1;

function variableWidth(type: string, oid: number, version?: number) {
  const prefix = version === undefined ? 0 : 1;
  return <Row>(name: string, read: Read<Row, string>): BinaryColumn<Row> => ({
    name,
    type,
    encode(rows) {
      const values = rows.map(read);
      let buffer = Buffer.allocUnsafe(HEADER_BYTES + roomFor(values, LENGTH_BYTES + prefix));
      writeHeader(buffer, oid, rows.length);
      let at = HEADER_BYTES;
      for (const [index, text] of values.entries()) {
        // A null, too: texts outside ASCII before it may have taken the room that was meant for it.
        const most = LENGTH_BYTES + (text === null ? 0 : prefix + text.length * MAX_BYTES_PER_UNIT);
        if (buffer.length - at < most) {
          const rest = roomFor(values.slice(index), LENGTH_BYTES + prefix);
          buffer = Buffer.concat([buffer.subarray(0, at)], at + most + rest * MAX_BYTES_PER_UNIT);
        }
        if (text === null) {
          at = buffer.writeInt32BE(NULL_LENGTH, at);
          continue;
        }
        const start = at + LENGTH_BYTES;
        if (version !== undefined) buffer[start] = version;
        const bytes = prefix + writeText(buffer, text, start + prefix);
        buffer.writeInt32BE(bytes, at);
        at = start + bytes;
      }
      return buffer.subarray(0, at);
    },
  });
}

/** Values hold neither NUL nor lone surrogates. */
export const texts = variableWidth('text', 25);
/** Texts for `unnest($n::text[])`, as `uuidArray`. */
export const textArray = (values: readonly string[]): Buffer => TEXTS.encode(values);
const TEXTS = texts<string>('text', (text) => text);

/** Values are JSON texts. */
export const jsonTexts = variableWidth('jsonb', 3802, JSONB_VERSION);

/** Enough for values in ASCII, the last included; others may need more. */
function roomFor(values: readonly (string | null)[], bytesEach: number): number {
  let sum = 0;
  let longest = 0;
  for (const value of values) {
    sum += bytesEach + (value?.length ?? 0);
    if (value !== null && value.length > longest) longest = value.length;
  }
  return sum + longest * MAX_BYTES_PER_UNIT;
}

function writeText(buffer: Buffer, text: string, at: number): number {
  if (text.length > SHORT_TEXT) return buffer.write(text, at);
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    if (code > 0x7f) return buffer.write(text, at);
    buffer[at + unit] = code;
  }
  return text.length;
}
