import type { NumberReader, NumberWriter } from '../packing/number-codec';

/** Thrown where more would be taken from counts than was ever added: counts and messages have parted. */
export class NegativeCountError extends Error {
  constructor() {
    super('a count would fall below zero');
  }
}

/** @throws NegativeCountError */
export function requireCount(count: number): number {
  if (count < 0) throw new NegativeCountError();
  return count;
}

/** Keys of a map in ascending order, so that equal counts have equal bytes whatever order they came in. */
export function ascending(keys: Iterable<number>): number[] {
  return [...keys].sort((a, b) => a - b);
}

/**
 * Writes keyed entries, each key as its distance from the one before.
 * @param keys - ascending whole numbers, zero or more
 * @param value - writes what belongs to a key
 */
export function writeKeyed(
  writer: NumberWriter,
  keys: readonly number[],
  value: (key: number) => void,
): void {
  writer.count(keys.length);
  let before = 0;
  for (const key of keys) {
    writer.count(key - before);
    value(key);
    before = key;
  }
}

/** Reads what `writeKeyed` wrote. */
export function readKeyed(reader: NumberReader, value: (key: number) => void): void {
  let key = 0;
  for (let left = reader.count(); left > 0; left -= 1) {
    key += reader.count();
    value(key);
  }
}

/** Places of a row that hold anything. */
export function filledPlaces(row: ArrayLike<number>, from: number, to: number): number[] {
  const places: number[] = [];
  for (let place = from; place < to; place += 1) if (row[place] !== 0) places.push(place - from);
  return places;
}

/** Writes what `writeKeyed` does of the filled places of a row, each with what it holds: of rows of thousands of places. */
export function writeFilled(writer: NumberWriter, row: Float64Array): void {
  let filled = 0;
  for (let place = 0; place < row.length; place += 1) if (row[place] !== 0) filled += 1;
  writer.count(filled);
  let before = 0;
  for (let place = 0; place < row.length; place += 1) {
    const value = row[place] as number;
    if (value === 0) continue;
    writer.count(place - before);
    writer.count(value);
    before = place;
  }
}

/** Adds the counts of one row to another. */
export function addRow(to: Int32Array, from: Int32Array): void {
  for (let place = 0; place < from.length; place += 1) {
    to[place] = (to[place] as number) + (from[place] as number);
  }
}

export function isEmptyRow(row: Int32Array): boolean {
  return row.every((count) => count === 0);
}

/** Looks no further than the first row that is not empty. */
export function areEmptyRows(rows: Iterable<Int32Array>): boolean {
  for (const row of rows) if (!isEmptyRow(row)) return false;
  return true;
}
