import { square } from '../numerics/square';

/** Share of its own variance below which what is left of a direction is rounding. */
const DEPENDENT = 1e-7;

/**
 * u' V^- u over some coordinates, by Cholesky; directions without variance of their own count as nothing.
 *
 * Shapes: D scores and D x D variances in, one sum out.
 * @param u - scores
 * @param v - their variance, row-major and positive semidefinite; its lower half is read
 * @param coordinates - those that count, each below D, ascending
 * @returns the form, and the rank of V in the coordinates
 * Never throws.
 *
 * Reference: Golub and Van Loan (2013), Matrix Computations, section 4.2.
 */
export function quadraticForm(
  u: ArrayLike<number>,
  v: ArrayLike<number>,
  coordinates: readonly number[],
): { readonly sum: number; readonly rank: number } {
  const width = u.length;
  const lower: Float64Array[] = [];
  const solved = new Float64Array(coordinates.length);
  let [sum, rank] = [0, 0];
  coordinates.forEach((at, i) => {
    const row = new Float64Array(i + 1);
    lower.push(row);
    const own = v[at * width + at] as number;
    let [left, rest] = [own, u[at] as number];
    for (let j = 0; j < i; j++) {
      const other = lower[j] as Float64Array;
      if ((other[j] as number) === 0) continue;
      let value = v[at * width + (coordinates[j] as number)] as number;
      for (let k = 0; k < j; k++) value -= (row[k] as number) * (other[k] as number);
      value /= other[j] as number;
      row[j] = value;
      left -= square(value);
      rest -= value * (solved[j] as number);
    }
    if (left <= DEPENDENT * own) return row.fill(0);
    rank++;
    row[i] = Math.sqrt(left);
    solved[i] = rest / row[i];
    sum += square(solved[i]);
    return row;
  });
  return { sum, rank };
}
