import { square } from '../numerics/square';

/** Messages and replies of one stratum of a group, by level. */
export interface ComparedRow {
  /** place of the group, from zero */
  readonly group: number;
  readonly n: readonly number[];
  readonly y: readonly number[];
}

/** Sums over comparisons, for every group and level; coordinate = group * levels + level. */
export interface GroupLeans {
  /** replies by which a group leans towards a level; zero in expectation where no group prefers anything */
  readonly score: Float64Array;
  /** what a log odds ratio of one would add to the score */
  readonly slope: Float64Array;
  /** of the scores, row-major; of the two halves only the lower one */
  readonly variance: Float64Array;
}

/**
 * Adds how groups lean that were sent the same texts, from every pair of replies of two groups to two levels: as likely as
 * that each had answered to the other's level, once what was sent is allowed for. How readily each row answers, and
 * how well each level does in these texts, cancels in every pair, so that the scores are unbiased however few replies
 * a comparison has and however unevenly levels were sent; expectations fitted to both margins are not.
 *
 * Shapes: R rows of L levels in; G x L scores and slopes and (G x L)^2 variances are added to.
 * @param rows - sends and replies, 0 <= y <= n
 * @param groups - number of groups
 * @param levels - number of levels
 * @param leans - added to; not at all where there is nothing to compare
 * Never throws.
 *
 * Reference: Mantel and Haenszel (1959), JNCI 22, 719-748; the variance is that of a sum over pairs, in two by two tables
 * the one of Robins, Breslow and Greenland (1986), Biometrics 42, 311-323.
 */
export function compareGroups(
  rows: readonly ComparedRow[],
  groups: number,
  levels: number,
  { score, slope, variance }: GroupLeans,
): void {
  const size = groups * levels;
  const answered = answeredCells(rows, levels);
  const total = answered.reduce((sum, { replies }) => sum + replies, 0);
  // Per answered cell: the weights of its pairs, by the other's group and level.
  const partners = new Float64Array(answered.length * size);
  // Sums of all pairs' weights, and of their squares, by the two groups and levels.
  const [pairs, squares] = [new Float64Array(size * size), new Float64Array(size * size)];
  for (let i = 0; i < answered.length; i++) {
    const a = answered[i] as AnsweredCell;
    const aa = a.group * levels + a.level;
    for (let j = i + 1; j < answered.length; j++) {
      const b = answered[j] as AnsweredCell;
      if (a.group === b.group || a.level === b.level) continue;
      const weight = pairWeight(a, b);
      const bb = b.group * levels + b.level;
      const weighted = a.replies * b.replies * weight;
      add(partners, i * size + bb, b.replies * weight);
      add(partners, j * size + aa, a.replies * weight);
      add(pairs, aa * size + bb, weighted);
      add(squares, aa * size + bb, weighted * weight);
    }
  }
  for (let aa = 0; aa < size; aa++)
    for (let bb = 0; bb < size; bb++) {
      if (!((pairs[aa * size + bb] as number) > 0)) continue;
      const [l, m] = [aa % levels, bb % levels];
      const [ab, ba] = [aa - l + m, bb - m + l];
      const weighted = (pairs[aa * size + bb] as number) / total;
      addPair(slope, aa, bb, weighted / 2);
      addPair(slope, ab, ba, weighted / 2);
      addPair(score, aa, bb, weighted);
      addPair(score, ab, ba, -weighted);
      takeSquare(variance, size, aa, bb, ab, ba, (squares[aa * size + bb] as number) / square(total));
    }
  answered.forEach((cell, i) => {
    const { n, level, replies } = cell;
    // Replies vary less where most messages are answered: 1 / (1 - p) on the scale of log odds, p by the other messages.
    const certain = Math.max(1, (n[level] as number) - 1) / Math.max(1, (n[level] as number) - replies);
    const lean = leanOfReply(cell, partners.subarray(i * size, (i + 1) * size), groups, levels);
    addSquare(variance, lean, (certain * replies) / square(total));
  });
}

interface AnsweredCell extends ComparedRow {
  readonly level: number;
  readonly replies: number;
}

function answeredCells(rows: readonly ComparedRow[], levels: number): AnsweredCell[] {
  const cells: AnsweredCell[] = [];
  for (const row of rows)
    for (let level = 0; level < levels; level++) {
      const replies = row.y[level] as number;
      if (replies > 0) cells.push({ ...row, level, replies });
    }
  return cells;
}

/** Messages that could have been answered the other way round, against what was sent both ways: 1 where levels were sent evenly. */
function pairWeight(a: AnsweredCell, b: AnsweredCell): number {
  const [l, m] = [a.level, b.level];
  const [am, bl] = [a.n[m] as number, b.n[l] as number];
  const sent = am * bl + (a.n[l] as number) * (b.n[m] as number);
  return (2 * (am - (a.y[m] as number)) * (bl - (b.y[l] as number))) / sent;
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}

function addPair(sums: Float64Array, first: number, second: number, value: number): void {
  add(sums, first, value);
  add(sums, second, value);
}

/** Takes a multiple of the outer square of the pair's direction: plus for the levels answered, minus for the others. */
function takeSquare(
  variance: Float64Array,
  size: number,
  aa: number,
  bb: number,
  ab: number,
  ba: number,
  factor: number,
): void {
  const take = (i: number, j: number, value: number): void =>
    add(variance, i >= j ? i * size + j : j * size + i, -value);
  take(aa, aa, factor);
  take(bb, bb, factor);
  take(ab, ab, factor);
  take(ba, ba, factor);
  take(aa, bb, factor);
  take(ab, ba, factor);
  take(aa, ab, -factor);
  take(aa, ba, -factor);
  take(bb, ab, -factor);
  take(bb, ba, -factor);
}

/** What one reply of a cell adds to the scores with all its partners. */
function leanOfReply(
  { group, level }: AnsweredCell,
  partners: Float64Array,
  groups: number,
  levels: number,
): Float64Array {
  const lean = Float64Array.from(partners);
  for (let g = 0; g < groups; g++)
    for (let m = 0; m < levels; m++) {
      const weight = partners[g * levels + m] as number;
      if (weight === 0) continue;
      add(lean, g * levels + level, -weight);
      add(lean, group * levels + m, -weight);
      add(lean, group * levels + level, weight);
    }
  return lean;
}

function addSquare(variance: Float64Array, lean: Float64Array, factor: number): void {
  const size = lean.length;
  for (let i = 0; i < size; i++) {
    const value = (lean[i] as number) * factor;
    if (value === 0) continue;
    const row = i * size;
    for (let j = 0; j <= i; j++)
      variance[row + j] = (variance[row + j] as number) + value * (lean[j] as number);
  }
}
