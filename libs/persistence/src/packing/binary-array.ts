/** Dimensions, flags, element type, length and lower bound; each value follows behind its own length. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const BYTEA_OID = 17;

/**
 * A parameter of type bytea[] in Postgres' binary form: the driver would write every byte out as two letters.
 * @param values - at least one
 */
export function binaryArray(values: readonly (Buffer | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + LENGTH_BYTES + (value?.length ?? 0), HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(bytes);
  // One dimension, which may hold nulls (Postgres looks for itself), from 1 on.
  let at = 0;
  for (const part of [1, 1, BYTEA_OID, values.length, 1]) at = buffer.writeInt32BE(part, at);
  for (const value of values) {
    at = buffer.writeInt32BE(value?.length ?? NULL_LENGTH, at);
    if (value === null) continue;
    buffer.set(value, at);
    at += value.length;
  }
  return buffer;
}
