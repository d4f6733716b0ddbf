/** Sums of evidence are whole numbers of this part of one, 2^-33: a ten-thousandth of a millionth. */
const PARTS = 8_589_934_592;

/**
 * A number of which sums are exact: rounded to a multiple of 2^-33, and so are all sums up to a million. What is added
 * in another order, or added and taken away again, then leaves the same bytes, and what an erased message had
 * contributed can be subtracted without a trace. The error of a sum of thousands is below 1e-6, of what an e-value is
 * good for a millionth.
 */
export function exact(value: number): number {
  return Math.round(value * PARTS) / PARTS;
}

/** Rounds all numbers of an array, in place. */
export function makeExact(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) values[i] = exact(values[i] as number);
}

/** Adds numbers to others from a place on, or takes them away. */
export function addNumbers(to: Float64Array, from: Float64Array, offset = 0, sign: 1 | -1 = 1): void {
  for (let i = 0; i < from.length; i++) {
    to[offset + i] = (to[offset + i] as number) + sign * (from[i] as number);
  }
}
