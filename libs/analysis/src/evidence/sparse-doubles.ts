import type { NumberReader, NumberWriter } from '@outcomes/persistence';

const BITS = 8;

/** Room for those that are not zero, which thousands of arrays use in turn. */
let room = new Float64Array(1_024);

function roomFor(length: number): Float64Array {
  if (room.length < length) room = new Float64Array(2 * length);
  return room;
}

/** Writes doubles of which many are zero: which are not, then these. */
export function writeSparseDoubles(writer: NumberWriter, values: Float64Array): void {
  const filled = Buffer.alloc(Math.ceil(values.length / BITS));
  const kept = roomFor(values.length);
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
  const bytes = reader.bytes();
  const kept = roomFor(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  // Doubles may not lie at any address; bytes may.
  new Uint8Array(kept.buffer).set(bytes);
  const values = new Float64Array(length);
  let next = 0;
  for (let place = 0; place < length; place += 1) {
    const isFilled = ((filled[Math.floor(place / BITS)] ?? 0) >> (place % BITS)) & 1;
    if (isFilled === 1) values[place] = kept[next++] as number;
  }
  return values;
}
