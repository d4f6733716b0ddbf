import type { NumberReader, NumberWriter } from '@outcomes/persistence';

/** Fortnights before 1970 are negative. */
export function writeSigned(writer: NumberWriter, value: number): void {
  writer.count(value < 0 ? -2 * value - 1 : 2 * value);
}

export function readSigned(reader: NumberReader): number {
  const written = reader.count();
  return written % 2 === 1 ? -(written + 1) / 2 : written / 2;
}
