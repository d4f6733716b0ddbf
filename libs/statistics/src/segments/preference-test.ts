import { chiSquareSurvival } from '../numerics/incomplete-gamma';
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
  /** one per group and stratum (channel, step, position) */
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
 * passes for a preference
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
  const cells = inOrder(table.cells);
  const width = cells[0]?.n.length ?? 0;
  for (const { n, y } of cells) {
    requireDomain(n.length === width && y.length === width, 'size', 'cells need the same levels');
    requireDomain(
      n.every((sends, l) => (y[l] as number) >= 0 && (y[l] as number) <= sends && sends < Infinity),
      'count',
      'replies must lie between zero and the sends',
    );
  }
  const active = Array.from({ length: width }, (_, l) => l).filter(
    (l) => cells.reduce((sum, { y }) => sum + (y[l] as number), 0) >= FEWEST_LEVEL_REPLIES,
  );
  if (active.length < 2) return { dimension, statistic: 0, degrees: 0, pValue: 1, leans: [] };
  const common = commonPreference(cells, active);
  const names = [...new Set(cells.map(({ group }) => group))].sort();
  const leans = names.map((group) =>
    leanOf(
      group,
      cells.filter((cell) => cell.group === group),
      active,
      common,
      width,
    ),
  );
  const statistic = leans.reduce((sum, lean) => sum + lean.statistic, 0);
  const degrees = leans.reduce((sum, lean) => sum + lean.degrees, 0) - (active.length - 1);
  const pValue = degrees > 0 ? chiSquareSurvival(Math.max(0, statistic), degrees) : 1;
  return { dimension, statistic, degrees: Math.max(0, degrees), pValue, leans };
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

const repliesOf = (cell: PreferenceCell, levels: readonly number[]): number =>
  levels.reduce((sum, l) => sum + (cell.y[l] as number), 0);

/** Expected shares of a cell's replies: what was sent, weighted by how levels do everywhere. */
function sharesOf(cell: PreferenceCell, active: readonly number[], common: readonly number[]): number[] {
  const weights = active.map((l, i) => (cell.n[l] as number) * (common[i] as number));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (total > 0 ? weight / total : 0));
}

/** Relative reply rates of the levels that all groups would share: maximum likelihood given the cells' replies. */
function commonPreference(cells: readonly PreferenceCell[], active: readonly number[]): number[] {
  let common = active.map(() => 1);
  const observed = active.map((l) => cells.reduce((sum, { y }) => sum + (y[l] as number), 0));
  for (let round = 0; round < ROUNDS; round++) {
    const expected = active.map(() => 0);
    for (const cell of cells) {
      const replies = repliesOf(cell, active);
      if (replies === 0) continue;
      sharesOf(cell, active, common).forEach(
        (share, i) => (expected[i] = (expected[i] as number) + replies * share),
      );
    }
    const next = common.map((rate, i) => (rate * (observed[i] as number)) / (expected[i] as number));
    const settled = next.every((rate, i) => Math.abs(rate - (common[i] as number)) <= 1e-10 * rate);
    common = next;
    if (settled) break;
  }
  return common;
}

function leanOf(
  group: string,
  cells: readonly PreferenceCell[],
  active: readonly number[],
  common: readonly number[],
  width: number,
): GroupLean {
  const score = active.map(() => 0);
  const variance = active.map(() => active.map(() => 0));
  for (const cell of cells) {
    const replies = repliesOf(cell, active);
    if (replies === 0) continue;
    const shares = sharesOf(cell, active, common);
    shares.forEach((share, i) => {
      score[i] = (score[i] as number) + (cell.y[active[i] as number] as number) - replies * share;
      const row = variance[i] as number[];
      shares.forEach(
        (other, j) => (row[j] = (row[j] as number) + replies * share * ((i === j ? 1 : 0) - other)),
      );
    });
  }
  const logOddsRatio = new Array<number>(width).fill(0);
  const z = new Array<number>(width).fill(0);
  const used = active
    .map((_, i) => i)
    .filter((i) => ((variance[i] as number[])[i] as number) >= LEAST_VARIANCE);
  for (const i of used) {
    const own = (variance[i] as number[])[i] as number;
    logOddsRatio[active[i] as number] = (score[i] as number) / (own + 1 / SHRINK_SD ** 2);
    z[active[i] as number] = (score[i] as number) / Math.sqrt(own);
  }
  // The levels' scores sum to nothing, so one of them is left out.
  const kept = used.slice(1);
  const statistic = quadraticForm(
    kept.map((i) => score[i] as number),
    kept.map((i) => kept.map((j) => (variance[i] as number[])[j] as number)),
  );
  return { group, statistic, degrees: kept.length, logOddsRatio, z };
}

/** u' V^-1 u by Cholesky; directions without variance count as nothing. */
function quadraticForm(u: readonly number[], v: readonly (readonly number[])[]): number {
  const lower = u.map(() => new Array<number>(u.length).fill(0));
  const solved = u.map(() => 0);
  let sum = 0;
  for (let i = 0; i < u.length; i++) {
    const row = lower[i] as number[];
    for (let j = 0; j < i; j++) {
      const other = lower[j] as number[];
      let value = (v[i] as readonly number[])[j] as number;
      for (let k = 0; k < j; k++) value -= (row[k] as number) * (other[k] as number);
      row[j] = (other[j] as number) > 0 ? value / (other[j] as number) : 0;
    }
    let diagonal = (v[i] as readonly number[])[i] as number;
    for (let k = 0; k < i; k++) diagonal -= (row[k] as number) ** 2;
    if (diagonal < 1e-9) continue;
    row[i] = Math.sqrt(diagonal);
    let rest = u[i] as number;
    for (let k = 0; k < i; k++) rest -= (row[k] as number) * (solved[k] as number);
    solved[i] = rest / (row[i] as number);
    sum += (solved[i] as number) ** 2;
  }
  return sum;
}
