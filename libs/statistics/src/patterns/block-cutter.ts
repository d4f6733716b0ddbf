import type { Cohort, StratumKey } from './pattern-types';

/** A block closes once it holds this many sends... */
export const BLOCK_SENDS = 50;
/** ...or after this many days; never by its replies. */
export const BLOCK_DAYS = 7;
/** Pseudo-sends by which a stratum's predicted rate leans on the company's rate so far. */
const STRATUM_LEAN = 40;
/** Pseudo-sends and rate of the start, before any reply is known. */
const START_SENDS = 20;
const START_RATE = 0.034;

/** How strata are formed and cut. */
export interface BlockRule {
  /** levels whose counts a block holds, in order */
  readonly levels: readonly number[];
  readonly drops: keyof StratumKey | undefined;
  readonly blockSends: number;
}

/** A block with the rate predicted from those that closed before it. */
export interface ClosedBlock {
  /** see `stratumNumber` */
  readonly key: number;
  readonly closeDay: number;
  readonly predictedRate: number;
  readonly n: Float64Array;
  readonly y: Float64Array;
}

interface OpenBlock {
  readonly key: number;
  readonly startDay: number;
  lastDay: number;
  sends: number;
  replies: number;
  readonly n: Float64Array;
  readonly y: Float64Array;
}

interface Past {
  sends: number;
  replies: number;
}

/** One number per stratum; 2^10 values per part leave the sum exact. */
export function stratumNumber(stratum: StratumKey, drops: keyof StratumKey | undefined): number {
  const channel = drops === 'channel' ? 0 : stratum.channel;
  const step = drops === 'step' ? 0 : stratum.step;
  const position = drops === 'position' ? 0 : stratum.position;
  return (channel * 1024 + step) * 1024 + position;
}

/** Adds the counts of the given levels, from the place `at` on. */
export function addLevels(
  cohort: Cohort,
  levels: readonly number[],
  n: Float64Array,
  y: Float64Array,
  at: number,
): void {
  for (let column = 0; column < levels.length; column++) {
    const level = levels[column] as number;
    const sends = cohort.n[level] as number;
    if (sends === 0) continue;
    n[at + column] = (n[at + column] as number) + sends;
    y[at + column] = (y[at + column] as number) + (cohort.y[level] as number);
  }
}

/**
 * Cuts each stratum's send days into blocks while the days come in, by sends and days alone. Blocks come out in the
 * order in which they closed, and what came out never changes: so the cutter can be saved and continued.
 */
export class BlockCutter {
  private readonly open = new Map<number, OpenBlock>();
  private readonly past = new Map<number, Past>();
  private readonly all: Past = { sends: START_SENDS, replies: START_SENDS * START_RATE };
  private day = -Infinity;

  constructor(private readonly rule: BlockRule) {}

  /** Cohorts come sorted by day. */
  add(cohort: Cohort, closed: (block: ClosedBlock) => void): void {
    if (cohort.day > this.day) {
      this.closeThrough(cohort.day - 1, closed);
      this.day = cohort.day;
    }
    const { levels, drops } = this.rule;
    const key = stratumNumber(cohort.stratum, drops);
    let block = this.open.get(key);
    if (!block) {
      const [n, y] = [new Float64Array(levels.length), new Float64Array(levels.length)];
      block = { key, startDay: cohort.day, lastDay: cohort.day, sends: 0, replies: 0, n, y };
      this.open.set(key, block);
    }
    block.lastDay = cohort.day;
    block.sends += cohort.totalN;
    block.replies += cohort.totalY;
    addLevels(cohort, levels, block.n, block.y, 0);
  }

  /** Closes what closes on a day up to this one; call it only when no more cohorts of these days come. */
  closeThrough(day: number, closed: (block: ClosedBlock) => void): void {
    const due: { block: OpenBlock; closeDay: number }[] = [];
    for (const block of this.open.values()) {
      const closeDay = this.closeDayOf(block);
      if (closeDay <= day) due.push({ block, closeDay });
    }
    due.sort((one, two) => one.closeDay - two.closeDay || one.block.key - two.block.key);
    for (const { block, closeDay } of due) {
      this.open.delete(block.key);
      closed({ key: block.key, closeDay, predictedRate: this.predicted(block), n: block.n, y: block.y });
    }
  }

  /** Everything that the next days need, in numbers. */
  save(): number[] {
    const past = [...this.past].flatMap(([key, { sends, replies }]) => [key, sends, replies]);
    const open = [...this.open.values()].flatMap(({ key, startDay, lastDay, sends, replies, n, y }) => [
      ...[key, startDay, lastDay, sends, replies, ...n, ...y],
    ]);
    return [this.day, this.all.sends, this.all.replies, this.past.size, ...past, this.open.size, ...open];
  }

  /** Takes up what `save` gave, of a cutter with the same rule. */
  load(take: () => number): void {
    this.day = take();
    this.all.sends = take();
    this.all.replies = take();
    for (let strata = take(); strata > 0; strata--) {
      this.past.set(take(), { sends: take(), replies: take() });
    }
    const width = this.rule.levels.length;
    for (let blocks = take(); blocks > 0; blocks--) {
      const head = { key: take(), startDay: take(), lastDay: take(), sends: take(), replies: take() };
      const n = Float64Array.from({ length: width }, take);
      const y = Float64Array.from({ length: width }, take);
      this.open.set(head.key, { ...head, n, y });
    }
  }

  private closeDayOf({ sends, startDay, lastDay }: OpenBlock): number {
    return sends >= this.rule.blockSends ? lastDay : startDay + BLOCK_DAYS - 1;
  }

  /** The stratum's rate so far, leaning on the company's; the block then counts as past. */
  private predicted({ key, sends, replies }: OpenBlock): number {
    const { all } = this;
    let own = this.past.get(key);
    if (!own) this.past.set(key, (own = { sends: 0, replies: 0 }));
    const rate = (own.replies + (STRATUM_LEAN * all.replies) / all.sends) / (own.sends + STRATUM_LEAN);
    for (const sums of [own, all]) {
      sums.sends += sends;
      sums.replies += replies;
    }
    return Math.min(0.999, Math.max(1e-5, rate));
  }
}
