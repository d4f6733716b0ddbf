import { square } from '../numerics/square';
import type { Rng } from '../random';

export interface Clustering {
  readonly assignment: Int32Array;
  readonly centres: readonly Float64Array[];
  /** total squared distance to the centres */
  readonly inertia: number;
}

const MAX_ROUNDS = 60;

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += square((a[j] as number) - (b[j] as number));
  return sum;
}

/** k-means++ starting centres. */
function seedCentres(rows: readonly Float64Array[], k: number, rng: Rng): Float64Array[] {
  const centres = [Float64Array.from(rows[Math.floor(rng.next() * rows.length)] as Float64Array)];
  const nearest = rows.map((row) => squaredDistance(row, centres[0] as Float64Array));
  while (centres.length < k) {
    const total = nearest.reduce((a, b) => a + b, 0);
    let left = rng.next() * total;
    let chosen = 0;
    while (chosen < rows.length - 1 && (left -= nearest[chosen] as number) > 0) chosen++;
    const centre = Float64Array.from(rows[chosen] as Float64Array);
    centres.push(centre);
    rows.forEach((row, i) => (nearest[i] = Math.min(nearest[i] as number, squaredDistance(row, centre))));
  }
  return centres;
}

/** Nearest centre of each row. */
export function assign(rows: readonly Float64Array[], centres: readonly Float64Array[]): Int32Array {
  return Int32Array.from(rows, (row) => {
    let best = 0;
    let distance = Infinity;
    centres.forEach((centre, c) => {
      const d = squaredDistance(row, centre);
      if (d < distance) [best, distance] = [c, d];
    });
    return best;
  });
}

/** k-means with seeded starts; the best of `starts` runs. Rows are standardised and of one length. */
export function kMeans(rows: readonly Float64Array[], k: number, starts: number, rng: Rng): Clustering {
  let best: Clustering | undefined;
  for (let start = 0; start < starts; start++) {
    let centres = seedCentres(rows, k, rng);
    let assignment = assign(rows, centres);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const sums = centres.map((centre) => ({ sum: new Float64Array(centre.length), count: 0 }));
      rows.forEach((row, i) => {
        const cell = sums[assignment[i] as number] as (typeof sums)[number];
        cell.count++;
        for (let j = 0; j < row.length; j++) cell.sum[j] = (cell.sum[j] as number) + (row[j] as number);
      });
      centres = centres.map((centre, c) => {
        const { sum, count } = sums[c] as (typeof sums)[number];
        return count > 0 ? sum.map((value) => value / count) : centre;
      });
      const next = assign(rows, centres);
      const settled = next.every((c, i) => c === assignment[i]);
      assignment = next;
      if (settled) break;
    }
    const inertia = rows.reduce(
      (sum, row, i) => sum + squaredDistance(row, centres[assignment[i] as number] as Float64Array),
      0,
    );
    if (!best || inertia < best.inertia) best = { assignment, centres, inertia };
  }
  return best as Clustering;
}

/** Simplified silhouette (distances to centres): how clearly rows belong to their own cluster, in [-1, 1]. */
export function silhouette(rows: readonly Float64Array[], { assignment, centres }: Clustering): number {
  let sum = 0;
  rows.forEach((row, i) => {
    let own = 0;
    let other = Infinity;
    centres.forEach((centre, c) => {
      const distance = Math.sqrt(squaredDistance(row, centre));
      if (c === assignment[i]) own = distance;
      else other = Math.min(other, distance);
    });
    const larger = Math.max(own, other);
    sum += larger > 0 ? (other - own) / larger : 0;
  });
  return sum / rows.length;
}
