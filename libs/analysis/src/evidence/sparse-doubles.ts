import type { NumberReader, NumberWriter } from '@outcomes/persistence';

const BITS = 8;

/** Writes doubles of which many are zero: which are not, then these. */
export function writeSparseDoubles(writer: NumberWriter, values: Float64Array): void {
  const filled = Buffer.alloc(Math.ceil(values.length / BITS));
  const kept = new Float64Array(values.length);
  let size = 0;
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] as number;
    if (value === 0) continue;
    const byte = Math.floor(place / BITS);
    filled[byte] = (filled[byte] as number) | (1 << (place % BITS));
    kept[size++] = value;
  }
  writer.bytes(filled);
  writer.doubles(kept.subarray(0, size));
}

/** Reads what `writeSparseDoubles` wrote, as so many doubles. */
export function readSparseDoubles(reader: NumberReader, length: number): Float64Array {
  const filled = reader.bytes();
  const kept = reader.doubles();
  const values = new Float64Array(length);
  let next = 0;
  for (let place = 0; place < length; place += 1) {
    const isFilled = ((filled[Math.floor(place / BITS)] ?? 0) >> (place % BITS)) & 1;
    if (isFilled === 1) values[place] = kept[next++] as number;
  }
  return values;
}
