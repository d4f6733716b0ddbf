import { incompleteBeta } from '../numerics/incomplete-beta';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';
import { drawNormal, type Rng } from '../random';
import type { GroupLeans } from './group-leans';
import { type Dispersion, PreferenceScores } from './preference-scores';
import { cholesky, quadraticForm } from './quadratic-form';

/** Messages and replies of one group of recipients in one stratum, by level of a dimension. */
export interface PreferenceCell {
  readonly group: string;
  /** unit of the evidence: what a campaign's texts have in common for one group counts once */
  readonly campaign: number;
  /** cells of one campaign and number were sent the same texts (those of a channel and step), and are compared */
  readonly texts: number;
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

/** How one group's replies lean towards the levels of a dimension, against those of the others to the same texts. */
export interface GroupLean {
  readonly group: string;
  /** score statistic of this group alone, dispersion taken out, and its degrees of freedom */
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
  readonly dispersion: Dispersion;
  /** of "all groups prefer the same levels"; 1 where it cannot be tested */
  readonly pValue: number;
  readonly leans: readonly GroupLean[];
}

/** Fewer replies than this to a level, over all groups, do not carry a test. */
const FEWEST_LEVEL_REPLIES = 10;
/** Least variance of a group's replies at a level for it to enter the statistics. */
const LEAST_VARIANCE = 0.5;
/** Spread of true differences between groups on the log-odds scale. */
const SHRINK_SD = 0.5;

/**
 * Whether groups of recipients answer to different levels of a dimension: score test of equal preferences, given
 * how often each group answers at all, what it was sent, and how well each campaign's own texts do.
 *
 * Shapes: C cells of L levels in, one test with one lean per group out.
 * @param table - counts per group and stratum, so that neither what was sent to a group nor how readily it answers
 * passes for a preference. Groups are compared inside each comparison alone: what only one group was sent, or at one
 * level only, compares nothing and is left out
 * @returns statistic, degrees of freedom and p-value; leans in order of the group names
 * @throws StatsDomainError with code `size` or `count`
 *
 * Reference: Mantel and Haenszel (1959), JNCI 22, 719-748, for groups and levels of any number (GroupLeans); Breslow and
 * Day (1980), Statistical Methods in Cancer Research I, section 4.4 (homogeneity of odds).
 * Oracle: all tables with the sums of small ones, group-leans.spec.ts; rejection rates by simulation,
 * preference-segments.spec.ts and verify:statistics.
 *
 * @example
 * testPreferences({ dimension: 'tone', cells: [] }).pValue; // 1
 */
export function testPreferences(table: PreferenceTable): PreferenceTest {
  return comparePreferences(table).test;
}

/** A test, and what it might have been. */
export interface ComparedPreferences {
  readonly test: PreferenceTest;
  /** leans as other replies to the same messages might have shown them: scores drawn again around those observed */
  readonly redraw: (rng: Rng) => readonly GroupLean[];
}

/**
 * `testPreferences`, with what its leans might have been.
 *
 * Shapes: C cells of L levels in, one test out; one lean per group from each draw.
 * @param table - as there
 * @returns the test, and a function that draws leans again
 * @throws StatsDomainError with code `size` or `count`
 *
 * Reference: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 6.5 (the parametric bootstrap).
 *
 * @example
 * comparePreferences({ dimension: 'tone', cells: [] }).test.pValue; // 1
 */
export function comparePreferences(table: PreferenceTable): ComparedPreferences {
  const { dimension } = table;
  const compared = compare(table);
  if (!compared) return { test: { dimension, ...UNTESTED, leans: [] }, redraw: () => [] };
  const { sums, used, dispersion, groups } = compared;
  const { score, size, variance } = sums;
  const { sum: statistic, rank: degrees } = quadraticForm(score, cholesky(variance, size, used), used);
  const pValue = pValueOf(statistic, degrees, dispersion);
  const own = groups.map((_, place) => {
    const coordinates = used.filter((i) => Math.floor(i / compared.active.length) === place);
    return { coordinates, lower: cholesky(variance, size, coordinates) };
  });
  const leansAt = (at: ArrayLike<number>) =>
    groups.map((group, place) => leanOf(group, at, own[place] as OwnVariance, compared));
  const redraw = (rng: Rng) => {
    const drawn = Float64Array.from(score);
    for (const { coordinates, lower } of own) {
      const noise = lower.map(() => Math.sqrt(dispersion.factor) * drawNormal(rng));
      lower.forEach((row, i) =>
        row.forEach((value, k) => {
          drawn[coordinates[i] as number] =
            (drawn[coordinates[i] as number] as number) + value * (noise[k] as number);
        }),
      );
    }
    return leansAt(drawn);
  };
  return { test: { dimension, statistic, degrees, dispersion, pValue, leans: leansAt(score) }, redraw };
}

const UNTESTED = { statistic: 0, degrees: 0, dispersion: { factor: 1, units: 0 }, pValue: 1 } as const;

interface OwnVariance {
  readonly coordinates: readonly number[];
  readonly lower: readonly Float64Array[];
}

interface Compared {
  readonly groups: readonly string[];
  readonly sums: GroupLeans;
  /** levels that carry the test, of all */
  readonly active: readonly number[];
  readonly width: number;
  /** coordinates of the scores that vary */
  readonly used: readonly number[];
  readonly dispersion: Dispersion;
}

function compare({ cells }: PreferenceTable): Compared | undefined {
  const width = cells[0]?.n.length ?? 0;
  cells.forEach((cell) => checkCell(cell, width));
  const comparisons = comparisonsOf(cells);
  const active = Array.from({ length: width }, (_, l) => l).filter(
    (l) => replies(comparisons, l) >= FEWEST_LEVEL_REPLIES,
  );
  const groups = [...new Set(comparisons.flat().map(({ group }) => group))].sort();
  if (active.length < 2 || groups.length < 2) return undefined;
  const scores = scoresOf(comparisons, groups, active);
  const { size, score, variance } = scores.leans;
  const used = Array.from(score, (_, i) => i).filter(
    (i) => (variance[i * size + i] as number) >= LEAST_VARIANCE,
  );
  return { groups, sums: scores.leans, active, width, used, dispersion: scores.dispersion(used) };
}

/** Of an F distribution, because the dispersion was estimated; without a second campaign nothing is known of it. */
function pValueOf(statistic: number, degrees: number, { factor, units }: Dispersion): number {
  if (degrees === 0 || units === 0) return 1;
  const spare = units * degrees;
  return incompleteBeta(spare / (spare + statistic / factor), spare / 2, degrees / 2);
}

function checkCell({ n, y }: PreferenceCell, width: number): void {
  requireDomain(n.length === width && y.length === width, 'size', 'cells need the same levels');
  for (let l = 0; l < width; l++) {
    const [sends, answered] = [n[l] as number, y[l] as number];
    if (!(answered >= 0 && answered <= sends && sends < Infinity))
      requireDomain(false, 'count', 'replies must lie between zero and the sends');
  }
}

/** Cells that were answered and sent at more than one level, by campaign and texts, where more than one group has some. */
function comparisonsOf(cells: readonly PreferenceCell[]): PreferenceCell[][] {
  const ordered = inOrder(cells.filter(compares));
  const comparisons: PreferenceCell[][] = [];
  for (let from = 0; from < ordered.length;) {
    const { group, campaign, texts } = ordered[from] as PreferenceCell;
    let to = from + 1;
    while (ordered[to]?.campaign === campaign && ordered[to]?.texts === texts) to++;
    // In order, the first and the last are of one group only where all are.
    if (ordered[to - 1]?.group !== group) comparisons.push(ordered.slice(from, to));
    from = to;
  }
  return comparisons;
}

function compares({ n, y }: PreferenceCell): boolean {
  return y.some((answered) => answered > 0) && n.filter((sends) => sends > 0).length > 1;
}

/**
 * Cells in an order of their own, so that the last digits of sums do not depend on the order of the input.
 *
 * Shapes: C cells in, the same C cells out.
 * @param cells - any order
 * @returns the cells by campaign, texts, group, and their counts
 * Never throws.
 *
 * Reference: a rule of this service, stated in full above.
 *
 * @example
 * inOrder([]); // []
 */
export function inOrder(cells: readonly PreferenceCell[]): PreferenceCell[] {
  return [...cells].sort(
    (a, b) =>
      a.campaign - b.campaign ||
      a.texts - b.texts ||
      (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) ||
      byFirstDifference(a.n, b.n) ||
      byFirstDifference(a.y, b.y),
  );
}

function byFirstDifference(a: readonly number[], b: readonly number[]): number {
  for (let l = 0; l < a.length; l++) if (a[l] !== b[l]) return (a[l] as number) - (b[l] ?? 0);
  return 0;
}

function replies(comparisons: readonly (readonly PreferenceCell[])[], level: number): number {
  let sum = 0;
  for (const cells of comparisons) for (const { y } of cells) sum += y[level] as number;
  return sum;
}

function scoresOf(
  comparisons: readonly (readonly PreferenceCell[])[],
  groups: readonly string[],
  active: readonly number[],
): PreferenceScores {
  const scores = new PreferenceScores(groups.length, active.length);
  const places = new Map(groups.map((group, place) => [group, place]));
  comparisons.forEach((cells, c) => {
    scores.add(
      cells.map(({ group, n, y }) => ({
        group: places.get(group) as number,
        n: active.map((l) => n[l] as number),
        y: active.map((l) => y[l] as number),
      })),
    );
    if (comparisons[c + 1]?.[0]?.campaign !== cells[0]?.campaign) scores.endCampaign();
  });
  return scores;
}

/** @param score - as observed, or drawn again */
function leanOf(
  group: string,
  score: ArrayLike<number>,
  { coordinates, lower }: OwnVariance,
  { sums: { size, slope, variance }, active, width, dispersion: { factor } }: Compared,
): GroupLean {
  const logOddsRatio = new Array<number>(width).fill(0);
  const z = new Array<number>(width).fill(0);
  for (const i of coordinates) {
    const level = active[i % active.length] as number;
    const [known, spread] = [slope[i] as number, factor * (variance[i * size + i] as number)];
    logOddsRatio[level] = ((score[i] as number) * known) / (square(known) + spread / square(SHRINK_SD));
    z[level] = (score[i] as number) / Math.sqrt(spread);
  }
  const { sum, rank: degrees } = quadraticForm(score, lower, coordinates);
  return { group, statistic: sum / factor, degrees, logOddsRatio, z };
}
