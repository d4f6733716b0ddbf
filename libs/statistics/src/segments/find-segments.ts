import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';
import { type Rng, seededRng } from '../random';
import { assign, type Clustering, kMeans, silhouette } from './k-means';

export interface SegmentRow {
  readonly id: string;
  /** numeric features, finite, the same number in every row */
  readonly features: readonly number[];
}

export interface Segment {
  /** ids of the members, sorted */
  readonly members: readonly string[];
  readonly size: number;
  /** mean Jaccard similarity with its nearest cluster in bootstrap samples, in [0.75, 1] */
  readonly stability: number;
  /** high from size 10 */
  readonly confidence: 'high' | 'medium';
  /** mean of each feature over the members, in the caller's units */
  readonly centre: readonly number[];
}

export interface SegmentOptions {
  readonly seed: number;
  /** default 6 */
  readonly maxSegments?: number;
}

export const KEPT_STABILITY = 0.75;
export const HIGH_CONFIDENCE_SIZE = 10;
const FEWEST_ROWS = 12;
const SMALLEST_SEGMENT = 3;
const DEFAULT_MAX_SEGMENTS = 6;
const STARTS = 3;
/** Shuffled references that the real rows must all beat: chance of finding structure in none is 1 in 40. */
const REFERENCES = 39;
const BOOTSTRAPS = 40;
/** Rows that take part in the search; the rest are assigned to the centres found. Keeps a large tenant quick. */
const MAX_ROWS = 1500;

interface Standardised {
  readonly rows: readonly Float64Array[];
  readonly spread: number;
}

function standardise(rows: readonly SegmentRow[]): Standardised {
  const width = (rows[0] as SegmentRow).features.length;
  const out = rows.map(() => new Float64Array(width));
  let spread = 0;
  for (let j = 0; j < width; j++) {
    const mean = rows.reduce((sum, { features }) => sum + (features[j] as number), 0) / rows.length;
    const sd = Math.sqrt(
      rows.reduce((sum, { features }) => sum + square((features[j] as number) - mean), 0) / rows.length,
    );
    spread = Math.max(spread, sd);
    out.forEach(
      (row, i) => (row[j] = sd > 0 ? (((rows[i] as SegmentRow).features[j] as number) - mean) / sd : 0),
    );
  }
  return { rows: out, spread };
}

/** Each column shuffled on its own: the same margins, no clusters beyond what the margins make. */
function shuffleColumns(rows: readonly Float64Array[], rng: Rng): Float64Array[] {
  const out = rows.map((row) => Float64Array.from(row));
  const width = (rows[0] as Float64Array).length;
  for (let j = 0; j < width; j++) {
    for (let i = out.length - 1; i > 0; i--) {
      const other = Math.floor(rng.next() * (i + 1));
      const [a, b] = [out[i] as Float64Array, out[other] as Float64Array];
      [a[j], b[j]] = [b[j] as number, a[j] as number];
    }
  }
  return out;
}

function bestClustering(
  rows: readonly Float64Array[],
  maxSegments: number,
  rng: Rng,
): { clustering: Clustering; score: number } {
  let best: { clustering: Clustering; score: number } | undefined;
  for (let k = 2; k <= Math.min(maxSegments, Math.floor(rows.length / SMALLEST_SEGMENT)); k++) {
    const clustering = kMeans(rows, k, STARTS, rng);
    const score = silhouette(rows, clustering);
    if (!best || score > best.score + 1e-12) best = { clustering, score };
  }
  return best as { clustering: Clustering; score: number };
}

/** True where the rows cluster more clearly than every shuffled reference. */
function hasStructure(rows: readonly Float64Array[], score: number, maxSegments: number, rng: Rng): boolean {
  for (let r = 0; r < REFERENCES; r++) {
    if (bestClustering(shuffleColumns(rows, rng), maxSegments, rng).score >= score) return false;
  }
  return true;
}

/** Mean Jaccard similarity of each cluster with its nearest one in bootstrap samples (Hennig 2007). */
function stability(
  rows: readonly Float64Array[],
  { assignment, centres }: Clustering,
  rng: Rng,
): Float64Array {
  const k = centres.length;
  const sums = new Float64Array(k);
  const counted = new Float64Array(k);
  for (let b = 0; b < BOOTSTRAPS; b++) {
    const drawn = new Set<number>();
    const sample = rows.map(() => {
      const i = Math.floor(rng.next() * rows.length);
      drawn.add(i);
      return rows[i] as Float64Array;
    });
    const again = assign(rows, kMeans(sample, k, STARTS, rng).centres);
    const both = new Float64Array(k * k);
    const inFirst = new Float64Array(k);
    const inAgain = new Float64Array(k);
    for (const i of drawn) {
      const [c, d] = [assignment[i] as number, again[i] as number];
      both[c * k + d] = (both[c * k + d] as number) + 1;
      inFirst[c] = (inFirst[c] as number) + 1;
      inAgain[d] = (inAgain[d] as number) + 1;
    }
    for (let c = 0; c < k; c++) {
      if ((inFirst[c] as number) === 0) continue;
      let nearest = 0;
      for (let d = 0; d < k; d++) {
        const shared = both[c * k + d] as number;
        nearest = Math.max(nearest, shared / ((inFirst[c] as number) + (inAgain[d] as number) - shared));
      }
      sums[c] = (sums[c] as number) + nearest;
      counted[c] = (counted[c] as number) + 1;
    }
  }
  return sums.map((sum, c) => ((counted[c] as number) > 0 ? sum / (counted[c] as number) : 0));
}

/** Evenly spread rows of the sorted list, so that neither order nor chance decides who takes part. */
function searchSample(rows: readonly Float64Array[]): readonly Float64Array[] {
  if (rows.length <= MAX_ROWS) return rows;
  return Array.from(
    { length: MAX_ROWS },
    (_, i) => rows[Math.floor((i * rows.length) / MAX_ROWS)] as Float64Array,
  );
}

/**
 * Groups of recipients that differ from one another in a way that stays when the data are drawn again.
 *
 * Shapes: R rows of C features in, any number of segments out, largest first.
 * @param rows - one per responding recipient; any order gives the same result
 * @param options - seed and the largest number of segments
 * @returns segments with bootstrap Jaccard >= 0.75; empty where the rows cluster no more clearly than
 * shuffled ones do, or where there are fewer than twelve
 * @throws StatsDomainError with code `size` or `range`
 *
 * Reference: Hennig (2007), Computational Statistics and Data Analysis 52, 258-271.
 * Oracle: planted clusters and no structure, verify:statistics.
 *
 * @example
 * findSegments([], { seed: 1 }); // []
 */
export function findSegments(rows: readonly SegmentRow[], options: SegmentOptions): Segment[] {
  const maxSegments = options.maxSegments ?? DEFAULT_MAX_SEGMENTS;
  requireDomain(maxSegments >= 2, 'range', 'at least two segments must be allowed');
  const width = rows[0]?.features.length ?? 0;
  for (const { features } of rows) {
    requireDomain(
      features.length === width && features.every(Number.isFinite),
      'size',
      'rows need the same finite features',
    );
  }
  if (rows.length < FEWEST_ROWS || width === 0) return [];
  const sorted = [...rows].sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : compareFeatures(a.features, b.features),
  );
  const { rows: points, spread } = standardise(sorted);
  if (spread === 0) return [];
  const rng = seededRng(options.seed);
  const sample = searchSample(points);
  const { clustering, score } = bestClustering(sample, maxSegments, rng);
  if (!hasStructure(sample, score, maxSegments, rng)) return [];
  const stable = stability(sample, clustering, rng);
  const assignment = assign(points, clustering.centres);
  return clustering.centres
    .map((_, c): Segment => {
      const members = sorted.filter((_row, i) => assignment[i] === c);
      return {
        members: members.map(({ id }) => id),
        size: members.length,
        stability: stable[c] as number,
        confidence: members.length >= HIGH_CONFIDENCE_SIZE ? 'high' : 'medium',
        centre: Array.from(
          { length: width },
          (_col, j) =>
            members.reduce((sum, { features }) => sum + (features[j] as number), 0) /
            Math.max(1, members.length),
        ),
      };
    })
    .filter(({ size, stability: jaccard }) => jaccard >= KEPT_STABILITY && size >= SMALLEST_SEGMENT)
    .sort((a, b) => b.size - a.size || ((a.members[0] as string) < (b.members[0] as string) ? -1 : 1));
}

function compareFeatures(a: readonly number[], b: readonly number[]): number {
  for (let j = 0; j < a.length; j++) if (a[j] !== b[j]) return (a[j] as number) - (b[j] as number);
  return 0;
}
