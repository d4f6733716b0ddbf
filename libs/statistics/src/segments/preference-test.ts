import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';

/** Messages and replies of one group of recipients in one stratum, by level of a dimension. */
export interface PreferenceCell {
  readonly group: string;
  /** sends per level, >= 0; as many as the dimension has levels */
  readonly n: readonly number[];
  /** replies among them, 0 <= y <= n */
  readonly y: readonly number[];
}

export interface PreferenceTable {
  readonly dimension: string;
  /** one per group and stratum (campaign, channel, step, position) */
  readonly cells: readonly PreferenceCell[];
}

/** How one group's replies lean towards the levels of a dimension, against what all groups have in common. */
export interface GroupLean {
  readonly group: string;
  /** score statistic of this group alone, and its degrees of freedom */
  readonly statistic: number;
  readonly degrees: number;
  /** per level: shrunk log odds ratio against the common preference, and its z; zeros where nothing is known */
  readonly logOddsRatio: readonly number[];
  readonly z: readonly number[];
}

export interface PreferenceTest {
  readonly dimension: string;
  readonly statistic: number;
  readonly degrees: number;
  /** of "all groups prefer the same levels"; 1 where it cannot be tested */
  readonly pValue: number;
  readonly leans: readonly GroupLean[];
}

/** Fewer replies than this to a level, over all groups, do not carry a test. */
const FEWEST_LEVEL_REPLIES = 10;
/** Least variance of a group's replies at a level for it to enter the group's statistic. */
const LEAST_VARIANCE = 0.5;
/** Spread of true differences between groups on the log-odds scale. */
const SHRINK_SD = 0.5;
const ROUNDS = 200;

/**
 * Whether groups of recipients answer to different levels of a dimension: score test of equal preferences, given
 * how often each group answers at all and what it was sent.
 *
 * Shapes: C cells of L levels in, one test with one lean per group out.
 * @param table - counts per group and stratum, so that neither what was sent to a group nor how readily it answers
 * passes for a preference. A cell that was sent at one level compares nothing and is left out: where each campaign has
 * a level of its own, nothing is known of preferences
 * @returns statistic, degrees of freedom and p-value; leans in order of the group names
 * @throws StatsDomainError with code `size` or `count`
 *
 * Reference: Breslow and Day (1980), Statistical Methods in Cancer Research I, section 4.4 (homogeneity of odds).
 * Oracle: rejection rates by simulation, preference-segments.spec.ts and verify:statistics.
 *
 * @example
 * testPreferences({ dimension: 'tone', cells: [] }).pValue; // 1
 */
export function testPreferences(table: PreferenceTable): PreferenceTest {
  const { dimension } = table;
  const width = table.cells[0]?.n.length ?? 0;
  table.cells.forEach((cell) => checkCell(cell, width));
  const cells = inOrder(table.cells.filter(compares));
  const active = Array.from({ length: width }, (_, l) => l).filter(
    (l) => cells.reduce((sum, { y }) => sum + (y[l] as number), 0) >= FEWEST_LEVEL_REPLIES,
  );
  if (active.length < 2) return { dimension, statistic: 0, degrees: 0, pValue: 1, leans: [] };
  const counts = countsOf(cells, active);
  const common = commonPreference(counts);
  const leans: GroupLean[] = [];
  const pooled = active.map(() => active.map(() => 0));
  // In their order, cells of a group are neighbours, and groups come by their names.
  for (let from = 0; from < cells.length;) {
    const { group } = cells[from] as PreferenceCell;
    let to = from + 1;
    while (cells[to]?.group === group) to++;
    leans.push(leanOf(group, counts, from, to, active, common, width, pooled));
    from = to;
  }
  const statistic = leans.reduce((sum, lean) => sum + lean.statistic, 0);
  // What all groups have in common was estimated; levels that no cell compares, even by way of others, cost nothing.
  const degrees =
    leans.reduce((sum, lean) => sum + lean.degrees, 0) -
    quadraticForm(
      active.map(() => 0),
      pooled,
    ).rank;
  const pValue = degrees > 0 ? chiSquareSurvival(Math.max(0, statistic), degrees) : 1;
  return { dimension, statistic, degrees: Math.max(0, degrees), pValue, leans };
}

function checkCell({ n, y }: PreferenceCell, width: number): void {
  requireDomain(n.length === width && y.length === width, 'size', 'cells need the same levels');
  for (let l = 0; l < width; l++) {
    const [sends, replies] = [n[l] as number, y[l] as number];
    if (!(replies >= 0 && replies <= sends && sends < Infinity))
      requireDomain(false, 'count', 'replies must lie between zero and the sends');
  }
}

/** Whether a cell was answered, and was sent at more than one level. */
function compares({ n, y }: PreferenceCell): boolean {
  return y.some((replies) => replies > 0) && n.filter((sends) => sends > 0).length > 1;
}

/**
 * Cells in an order of their own, so that the last digits of sums do not depend on the order of the input.
 *
 * Shapes: C cells in, the same C cells out.
 * @param cells - any order
 * @returns the cells by group, then by their counts
 * Never throws.
 *
 * Reference: a rule of this service, stated in full above.
 *
 * @example
 * inOrder([]); // []
 */
export function inOrder(cells: readonly PreferenceCell[]): PreferenceCell[] {
  return [...cells].sort(
    (a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) || compare(a.n, b.n) || compare(a.y, b.y),
  );
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let l = 0; l < a.length; l++) if (a[l] !== b[l]) return (a[l] as number) - (b[l] ?? 0);
  return 0;
}

/** Counts of the levels that carry the test, row-major: cell * width + level. */
interface ActiveCounts {
  readonly size: number;
  readonly width: number;
  readonly n: Float64Array;
  readonly y: Float64Array;
  /** replies per cell */
  readonly replies: Float64Array;
}

function countsOf(cells: readonly PreferenceCell[], active: readonly number[]): ActiveCounts {
  const [size, width] = [cells.length, active.length];
  const n = new Float64Array(size * width);
  const y = new Float64Array(size * width);
  const replies = new Float64Array(size);
  cells.forEach((cell, c) => {
    for (let i = 0; i < width; i++) {
      const level = active[i] as number;
      n[c * width + i] = cell.n[level] as number;
      y[c * width + i] = cell.y[level] as number;
      replies[c] = (replies[c] as number) + (cell.y[level] as number);
    }
  });
  return { size, width, n, y, replies };
}

/** Expected shares of a cell's replies: what was sent, weighted by how levels do everywhere. */
function sharesInto(
  shares: Float64Array,
  { n, width }: ActiveCounts,
  cell: number,
  common: Float64Array,
): void {
  let total = 0;
  for (let i = 0; i < width; i++) {
    const weight = (n[cell * width + i] as number) * (common[i] as number);
    shares[i] = weight;
    total += weight;
  }
  for (let i = 0; i < width; i++) shares[i] = total > 0 ? (shares[i] as number) / total : 0;
}

/** Relative reply rates of the levels that all groups would share: maximum likelihood given the cells' replies. */
function commonPreference(counts: ActiveCounts): Float64Array {
  const { size, width, y, replies } = counts;
  const common = new Float64Array(width).fill(1);
  const observed = new Float64Array(width);
  for (let c = 0; c < size; c++)
    for (let i = 0; i < width; i++) observed[i] = (observed[i] as number) + (y[c * width + i] as number);
  const expected = new Float64Array(width);
  const shares = new Float64Array(width);
  for (let round = 0; round < ROUNDS; round++) {
    expected.fill(0);
    for (let c = 0; c < size; c++) {
      const answered = replies[c] as number;
      if (answered === 0) continue;
      sharesInto(shares, counts, c, common);
      for (let i = 0; i < width; i++)
        expected[i] = (expected[i] as number) + answered * (shares[i] as number);
    }
    let settled = true;
    for (let i = 0; i < width; i++) {
      const rate = common[i] as number;
      const next = (rate * (observed[i] as number)) / (expected[i] as number);
      settled &&= Math.abs(next - rate) <= 1e-10 * next;
      common[i] = next;
    }
    if (settled) break;
  }
  return common;
}

/**
 * @param from - first cell of the group; `to` is behind its last
 * @param pooled - variances of all groups, to which this one's are added
 */
function leanOf(
  group: string,
  counts: ActiveCounts,
  from: number,
  to: number,
  active: readonly number[],
  common: Float64Array,
  width: number,
  pooled: readonly number[][],
): GroupLean {
  const score = active.map(() => 0);
  const variance = active.map(() => active.map(() => 0));
  const shares = new Float64Array(active.length);
  for (let c = from; c < to; c++) {
    const replies = counts.replies[c] as number;
    if (replies === 0) continue;
    sharesInto(shares, counts, c, common);
    for (let i = 0; i < active.length; i++) {
      const share = shares[i] as number;
      score[i] = (score[i] as number) + (counts.y[c * active.length + i] as number) - replies * share;
      const row = variance[i] as number[];
      for (let j = 0; j < active.length; j++)
        row[j] = (row[j] as number) + replies * share * ((i === j ? 1 : 0) - (shares[j] as number));
    }
  }
  variance.forEach((row, i) =>
    row.forEach((value, j) => ((pooled[i] as number[])[j] = ((pooled[i] as number[])[j] as number) + value)),
  );
  const logOddsRatio = new Array<number>(width).fill(0);
  const z = new Array<number>(width).fill(0);
  const used = active
    .map((_, i) => i)
    .filter((i) => ((variance[i] as number[])[i] as number) >= LEAST_VARIANCE);
  for (const i of used) {
    const own = (variance[i] as number[])[i] as number;
    logOddsRatio[active[i] as number] = (score[i] as number) / (own + 1 / square(SHRINK_SD));
    z[active[i] as number] = (score[i] as number) / Math.sqrt(own);
  }
  // The levels' scores sum to nothing, so one of them is left out.
  const kept = used.slice(1);
  const { sum: statistic, rank: degrees } = quadraticForm(
    kept.map((i) => score[i] as number),
    kept.map((i) => kept.map((j) => (variance[i] as number[])[j] as number)),
  );
  return { group, statistic, degrees, logOddsRatio, z };
}

/** u' V^-1 u by Cholesky, and the rank of V; directions without variance count as nothing. */
function quadraticForm(
  u: readonly number[],
  v: readonly (readonly number[])[],
): { sum: number; rank: number } {
  const lower = u.map(() => new Array<number>(u.length).fill(0));
  const solved = u.map(() => 0);
  let [sum, rank] = [0, 0];
  for (let i = 0; i < u.length; i++) {
    const row = lower[i] as number[];
    for (let j = 0; j < i; j++) {
      const other = lower[j] as number[];
      let value = (v[i] as readonly number[])[j] as number;
      for (let k = 0; k < j; k++) value -= (row[k] as number) * (other[k] as number);
      row[j] = (other[j] as number) > 0 ? value / (other[j] as number) : 0;
    }
    let diagonal = (v[i] as readonly number[])[i] as number;
    for (let k = 0; k < i; k++) diagonal -= square(row[k] as number);
    if (diagonal < 1e-9 * Math.max(1, (v[i] as readonly number[])[i] as number)) continue;
    rank++;
    row[i] = Math.sqrt(diagonal);
    let rest = u[i] as number;
    for (let k = 0; k < i; k++) rest -= (row[k] as number) * (solved[k] as number);
    solved[i] = rest / (row[i] as number);
    sum += square(solved[i] as number);
  }
  return { sum, rank };
}
