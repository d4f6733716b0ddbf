import { square } from '../numerics/square';

/** Share of its own variance below which what is left of a direction is rounding. */
const DEPENDENT = 1e-7;

/**
 * Lower triangle L of a variance over some coordinates, L L' = V; directions without variance of their own are zero.
 * (ml-matrix refuses such matrices, and scores of all levels sum to nothing.)
 *
 * Shapes: D x D variances in, K rows out, the i-th of i + 1 numbers.
 * @param v - row-major and positive semidefinite; its lower half is read
 * @param width - D
 * @param coordinates - those that count, each below D, ascending
 * @returns the rows
 * Never throws.
 *
 * Reference: Golub and Van Loan (2013), Matrix Computations, section 4.2.
 */
export function cholesky(
  v: ArrayLike<number>,
  width: number,
  coordinates: readonly number[],
): readonly Float64Array[] {
  const lower: Float64Array[] = [];
  coordinates.forEach((at, i) => {
    const row = new Float64Array(i + 1);
    lower.push(row);
    const own = v[at * width + at] as number;
    let left = own;
    for (let j = 0; j < i; j++) {
      const other = lower[j] as Float64Array;
      if (other[j] === 0) continue;
      let value = v[at * width + (coordinates[j] as number)] as number;
      for (let k = 0; k < j; k++) value -= (row[k] as number) * (other[k] as number);
      value /= other[j] as number;
      row[j] = value;
      left -= square(value);
    }
    if (left > DEPENDENT * own) row[i] = Math.sqrt(left);
  });
  return lower;
}

/**
 * u' V^- u over some coordinates, V = L L'.
 *
 * Shapes: D scores and K rows in, one sum out.
 * @param u - scores
 * @param lower - of `cholesky`
 * @param coordinates - the same
 * @returns the form, and the rank of V in the coordinates
 * Never throws.
 *
 * Reference: as `cholesky`.
 */
export function quadraticForm(
  u: ArrayLike<number>,
  lower: readonly Float64Array[],
  coordinates: readonly number[],
): { readonly sum: number; readonly rank: number } {
  const solved = new Float64Array(coordinates.length);
  let [sum, rank] = [0, 0];
  lower.forEach((row, i) => {
    if (row[i] === 0) return;
    let rest = u[coordinates[i] as number] as number;
    for (let j = 0; j < i; j++) rest -= (row[j] as number) * (solved[j] as number);
    solved[i] = rest / (row[i] as number);
    sum += square(solved[i]);
    rank++;
  });
  return { sum, rank };
}
