import { square } from '../numerics/square';

/** Messages and replies of one stratum of a group, by level. */
export interface ComparedRow {
  /** place of the group, from zero */
  readonly group: number;
  readonly n: readonly number[];
  readonly y: readonly number[];
}

/**
 * How groups lean that were sent the same texts, from every pair of replies of two groups to two levels: as likely as
 * that each had answered to the other's level, once what was sent is allowed for. How readily each row answers, and
 * how well each level does in these texts, cancels in every pair, so that the scores are unbiased however few replies
 * a comparison has and however unevenly levels were sent; expectations fitted to both margins are not.
 *
 * Shapes: G x L scores and slopes, (G x L)^2 variances; coordinate = group * levels + level.
 *
 * Reference: Mantel and Haenszel (1959), JNCI 22, 719-748; the variance is that of a sum over pairs, in two by two tables
 * the one of Robins, Breslow and Greenland (1986), Biometrics 42, 311-323.
 */
export class GroupLeans {
  readonly size: number;
  /** replies by which a group leans towards a level; zero in expectation where no group prefers anything */
  readonly score: Float64Array;
  /** what a log odds ratio of one would add to the score */
  readonly slope: Float64Array;
  /** of the scores, row-major; of the two halves only the lower one */
  readonly variance: Float64Array;
  /** Of one comparison: sums of all pairs' weights, and of their squares, by the two groups and levels. */
  private readonly pairs: Float64Array;
  private readonly squares: Float64Array;
  /** Of one reply: weights of its pairs by the other's group and level, and what it adds to the scores. */
  private readonly lean: Float64Array;
  /** The same weights of each answered cell; kept, because memory outside of the heap is given back late. */
  private partners = new Float64Array(0);

  constructor(
    groups: number,
    private readonly levels: number,
  ) {
    this.size = groups * levels;
    const [vector, matrix] = [() => new Float64Array(this.size), () => new Float64Array(square(this.size))];
    [this.score, this.slope, this.lean] = [vector(), vector(), vector()];
    [this.variance, this.pairs, this.squares] = [matrix(), matrix(), matrix()];
  }

  /**
   * Adds one comparison; nothing where there is nothing to compare.
   * @param rows - sends and replies, 0 <= y <= n, of what was sent the same texts
   */
  add(rows: readonly ComparedRow[]): void {
    const answered = answeredCells(rows, this.levels);
    const total = answered.reduce((sum, { replies }) => sum + replies, 0);
    this.weighPairs(answered);
    this.addPairs(answered, total);
    answered.forEach((cell, i) => {
      const { n, level, replies } = cell;
      // Replies vary less where most messages are answered: 1 / (1 - p) on the scale of log odds, p by the other messages.
      const certain = Math.max(1, (n[level] as number) - 1) / Math.max(1, (n[level] as number) - replies);
      this.setLean(cell, i * this.size);
      this.addSquareOfLean((certain * replies) / square(total));
    });
  }

  private weighPairs(answered: readonly AnsweredCell[]): void {
    const { size, levels, pairs, squares } = this;
    pairs.fill(0);
    squares.fill(0);
    if (this.partners.length < answered.length * size)
      this.partners = new Float64Array(answered.length * size);
    else this.partners.fill(0, 0, answered.length * size);
    for (let i = 0; i < answered.length; i++) {
      const a = answered[i] as AnsweredCell;
      const aa = a.group * levels + a.level;
      for (let j = i + 1; j < answered.length; j++) {
        const b = answered[j] as AnsweredCell;
        if (a.group === b.group || a.level === b.level) continue;
        const weight = pairWeight(a, b);
        const bb = b.group * levels + b.level;
        const weighted = a.replies * b.replies * weight;
        add(this.partners, i * size + bb, b.replies * weight);
        add(this.partners, j * size + aa, a.replies * weight);
        add(pairs, aa * size + bb, weighted);
        add(squares, aa * size + bb, weighted * weight);
      }
    }
  }

  private addPairs(answered: readonly AnsweredCell[], total: number): void {
    const { size, levels, score, slope, pairs, squares } = this;
    const places = [...new Set(answered.map(({ group, level }) => group * levels + level))];
    for (const aa of places)
      for (const bb of places) {
        const sum = pairs[aa * size + bb] as number;
        if (sum === 0) continue;
        const [l, m] = [aa % levels, bb % levels];
        const [ab, ba] = [aa - l + m, bb - m + l];
        const weighted = sum / total;
        addPair(slope, aa, bb, weighted / 2);
        addPair(slope, ab, ba, weighted / 2);
        addPair(score, aa, bb, weighted);
        addPair(score, ab, ba, -weighted);
        // A pair stands in the leans of both its replies.
        this.takeSquare(aa, bb, ab, ba, (squares[aa * size + bb] as number) / square(total));
      }
  }

  /** Takes a multiple of the outer square of a pair's direction: plus for the levels answered, minus for the others. */
  private takeSquare(aa: number, bb: number, ab: number, ba: number, factor: number): void {
    const { size, variance } = this;
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

  /** What one reply of a cell adds to the scores with all its partners, whose weights begin at a place. */
  private setLean({ group, level }: AnsweredCell, from: number): void {
    const { size, levels, lean, partners } = this;
    for (let at = 0; at < size; at++) lean[at] = partners[from + at] as number;
    for (let at = 0; at < size; at++) {
      const weight = partners[from + at] as number;
      if (weight === 0) continue;
      const other = at % levels;
      add(lean, at - other + level, -weight);
      add(lean, group * levels + other, -weight);
      add(lean, group * levels + level, weight);
    }
  }

  private addSquareOfLean(factor: number): void {
    const { size, lean, variance } = this;
    for (let i = 0; i < size; i++) {
      const value = (lean[i] as number) * factor;
      if (value === 0) continue;
      const row = i * size;
      for (let j = 0; j <= i; j++)
        variance[row + j] = (variance[row + j] as number) + value * (lean[j] as number);
    }
  }
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
