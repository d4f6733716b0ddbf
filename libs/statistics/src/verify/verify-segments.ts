import { drawNormal, type Rng, seededRng } from '../random';
import { findSegments, type SegmentRow } from '../segments/find-segments';
import { atLeast, atMost, type Check } from './check';

const FEATURES = 4;

function drawRows(
  count: number,
  centres: readonly (readonly number[])[],
  rng: Rng,
): { rows: SegmentRow[]; truth: number[] } {
  const truth: number[] = [];
  const rows = Array.from({ length: count }, (_, i) => {
    const cluster = Math.floor(rng.next() * centres.length);
    truth.push(cluster);
    return { id: `r${i}`, features: (centres[cluster] as readonly number[]).map((c) => c + drawNormal(rng)) };
  });
  return { rows, truth };
}

/** Share of structureless tenants that get no segment. */
export function simulateNoStructure(runs: number, seed: number): number {
  let none = 0;
  for (let run = 0; run < runs; run++) {
    const { rows } = drawRows(60, [new Array<number>(FEATURES).fill(0)], seededRng(seed + run));
    if (findSegments(rows, { seed: run }).length === 0) none++;
  }
  return none / runs;
}

/** Adjusted Rand index of two partitions. */
export function adjustedRand(a: readonly number[], b: readonly number[]): number {
  const pairs = (n: number): number => (n * (n - 1)) / 2;
  const count = (keys: readonly string[]): number[] => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()];
  };
  const sum = (values: readonly number[]): number => values.reduce((total, n) => total + pairs(n), 0);
  const joint = sum(count(a.map((x, i) => `${x} ${b[i]}`)));
  const [first, second] = [sum(count(a.map(String))), sum(count(b.map(String)))];
  const chance = (first * second) / pairs(a.length);
  const most = (first + second) / 2;
  return most === chance ? 1 : (joint - chance) / (most - chance);
}

/** Mean adjusted Rand index with three planted clusters; rows outside every segment count as one more group. */
export function simulatePlantedClusters(runs: number, seed: number): number {
  let total = 0;
  const centres = [
    [0, 0, 0, 0],
    [3.2, 3.2, 0, 0],
    [0, 3.2, 3.2, 3.2],
  ];
  for (let run = 0; run < runs; run++) {
    const { rows, truth } = drawRows(90, centres, seededRng(seed + run));
    const segments = findSegments(rows, { seed: run });
    const found = rows.map(({ id }) => segments.findIndex(({ members }) => members.includes(id)));
    total += adjustedRand(truth, found);
  }
  return total / runs;
}

/** Number of runs in which reversing the rows changed the result. */
export function simulateOrder(runs: number, seed: number): number {
  let changed = 0;
  for (let run = 0; run < runs; run++) {
    const { rows } = drawRows(
      60,
      [
        [0, 0, 0, 0],
        [4, 4, 0, 0],
      ],
      seededRng(seed + run),
    );
    const [one, two] = [rows, [...rows].reverse()].map((order) =>
      JSON.stringify(findSegments(order, { seed: 7 })),
    );
    if (one !== two) changed++;
  }
  return changed;
}

/** Acceptance lines of section 5. */
export function verifySegments(scale: number): Check[] {
  const s = '5 segments';
  return [
    atLeast(
      s,
      'no structure: share of runs without a segment',
      simulateNoStructure(Math.max(20, Math.round(1000 * scale)), 8_000_000),
      0.95,
    ),
    atLeast(
      s,
      'three planted clusters: adjusted Rand index',
      simulatePlantedClusters(Math.max(5, Math.round(60 * scale)), 8_100_000),
      0.8,
    ),
    atMost(
      s,
      'runs that the order of the input changed',
      simulateOrder(Math.max(3, Math.round(20 * scale)), 8_200_000),
      0,
    ),
  ];
}
