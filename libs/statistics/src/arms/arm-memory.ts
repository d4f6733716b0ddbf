import { requireDomain } from '../numerics/stats-domain-error';
import type { ArmCounts } from './arm-types';
import { checkDayCounts, type DayCounts } from './day-counts';
import { DiscountedSums } from './discounted-sums';
import { forecastScores, SCORES } from './forecast-score';
import { decay, HALF_LIVES } from './half-lives';
import { memoryWeights, type MemoryWeights, weightAtAge } from './memory-weights';

/** Days ahead for which the forecasts are scored: the interval of the next 30 days, and that of today. */
export const HORIZONS = [30, 7] as const;
export type Horizon = (typeof HORIZONS)[number];

/** A change of the ledger, from the day on which it was told. */
export interface MemoryRestart {
  /** first day that still counts */
  readonly since: number;
  /** day on which the change was told: forecasts made before it do not know of it */
  readonly toldOn: number;
}

/** A forecast whose window is still open. */
interface Origin {
  readonly day: number;
  readonly known: DiscountedSums;
  readonly n: Float64Array;
  readonly y: Float64Array;
}

/** What the arms would remember once a change has been told. */
interface Told {
  readonly toldOn: number;
  readonly sums: DiscountedSums;
}

const ORIGIN_STRIDE = 7;
const LONGEST_HORIZON = Math.max(...HORIZONS);
/** Scores weigh half as much after a year. */
const SCORE_HALF_LIFE = 365;
const SCORE_DECAY = decay(SCORE_HALF_LIFE, 1);
const NO_DAY = -Infinity;
/** The half-life under which nothing is forgotten. */
const UNDISCOUNTED = HALF_LIVES.indexOf(Infinity);

/**
 * What the arms of one channel remember: settled send days come in one by one, changes of the ledger begin it anew.
 * Every week it forecasts the replies of the next 30 and 7 days under each half-life and forward spread, scores the
 * forecasts once their windows have passed, and weighs half-lives and spreads by their scores. Its state does not
 * grow with the days; saved and restored anywhere it goes on to the same numbers, bit for bit.
 */
export class ArmMemory {
  private firstDay = NO_DAY;
  private lastDay = NO_DAY;
  private from = NO_DAY;
  /** what a forecast of today rests on */
  private known: DiscountedSums;
  /** changes that have settled but have not been told yet, oldest first */
  private untold: Told[] = [];
  private origins: Origin[] = [];
  private readonly scores: readonly Float64Array[] = HORIZONS.map(() => new Float64Array(SCORES));

  /** @param positions - number of arms of the channel */
  constructor(readonly positions: number) {
    requireDomain(Number.isInteger(positions) && positions >= 1, 'size', 'at least one arm is needed');
    this.known = new DiscountedSums(positions);
  }

  /** Last settled day so far; null before the first. */
  get day(): number | null {
    return this.lastDay === NO_DAY ? null : this.lastDay;
  }

  /** First day that still counts: that of the last change, or of the first sends; null before the first. */
  get dataFrom(): number | null {
    return this.from === NO_DAY ? null : this.from;
  }

  /** Settled sends and replies of all positions since `dataFrom`, however long ago. */
  get settled(): ArmCounts {
    const { n, y } = this.untold.at(-1)?.sums ?? this.known;
    const from = UNDISCOUNTED * this.positions;
    const sumOf = (sums: Float64Array) =>
      sums.subarray(from, from + this.positions).reduce((sum, count) => sum + count, 0);
    return { n: sumOf(n), y: sumOf(y) };
  }

  /**
   * @param counts - a settled send day later than those before; days left out had no sends
   * @throws StatsDomainError with code `range`, `size`, `count` or `order`
   */
  add(counts: DayCounts): void {
    checkDayCounts(counts, this.positions);
    requireDomain(counts.day > this.lastDay, 'order', 'settled days come in order');
    if (this.lastDay === NO_DAY) this.firstDay = this.from = counts.day;
    else for (let day = this.lastDay + 1; day < counts.day; day++) this.step(day, null);
    this.step(counts.day, counts);
  }

  /**
   * Forgets what lies before an accepted change.
   *
   * @param restart - the change; `since` no earlier than that of the change before
   * @param days - settled send days since the change, in order, up to the last one that was added
   * @throws StatsDomainError with code `range`, `size`, `count` or `order`
   */
  restart({ since, toldOn }: MemoryRestart, days: Iterable<DayCounts>): void {
    requireDomain(Number.isInteger(since) && Number.isInteger(toldOn), 'range', 'days are whole numbers');
    requireDomain(
      since >= this.from && since <= this.lastDay && toldOn >= (this.untold.at(-1)?.toldOn ?? -Infinity),
      'order',
      'a change lies among the days since the one before, and is told after it',
    );
    const sums = new DiscountedSums(this.positions);
    let last = since - 1;
    for (const counts of days) {
      checkDayCounts(counts, this.positions);
      requireDomain(
        counts.day > last && counts.day <= this.lastDay,
        'order',
        'the days since a change come in order, up to the last settled one',
      );
      while (++last < counts.day) sums.add(null);
      sums.add(counts);
    }
    while (++last <= this.lastDay) sums.add(null);
    this.from = since;
    this.untold.push({ toldOn, sums });
    this.tell();
  }

  /**
   * @param asOfDay - day of the estimate, whole, not before the last settled day
   * @param horizon - days ahead: 30 or 7
   * @throws StatsDomainError with code `range` or `order`
   */
  weights(asOfDay: number, horizon: Horizon): MemoryWeights {
    requireDomain(HORIZONS.includes(horizon), 'range', 'forecasts are scored for 30 and for 7 days');
    const scores = this.scores[HORIZONS.indexOf(horizon)] as Float64Array;
    return memoryWeights(scores, decay(SCORE_HALF_LIFE, this.daysSince(asOfDay)));
  }

  /**
   * What the arms rest on: settled days since the last change that has settled, told or not.
   *
   * @param asOfDay - day of the estimate, whole, not before any day of the counts
   * @param halfLives - weights of the half-lives, as `weights` gives them
   * @param unsettled - send days after the last settled one, weighted for maturity; default none
   * @returns discounted counts per position
   * @throws StatsDomainError with code `range`, `size`, `count` or `order`
   */
  counts(
    asOfDay: number,
    { halfLives }: Pick<MemoryWeights, 'halfLives'>,
    unsettled: Iterable<DayCounts> = [],
  ): ArmCounts[] {
    requireDomain(halfLives.length === HALF_LIVES.length, 'size', 'every half-life needs a weight');
    const age = this.daysSince(asOfDay);
    const { n, y } = this.untold.at(-1)?.sums ?? this.known;
    const sends = new Float64Array(this.positions);
    const replies = new Float64Array(this.positions);
    const addAll = (weight: number, more: ArrayLike<number>, answered: ArrayLike<number>): void => {
      for (let p = 0; p < this.positions; p++) {
        sends[p] = (sends[p] as number) + weight * (more[p] as number);
        replies[p] = (replies[p] as number) + weight * (answered[p] as number);
      }
    };
    HALF_LIVES.forEach((halfLife, h) => {
      const [from, to] = [h * this.positions, (h + 1) * this.positions];
      addAll((halfLives[h] as number) * decay(halfLife, age), n.subarray(from, to), y.subarray(from, to));
    });
    for (const counts of unsettled) {
      checkDayCounts(counts, this.positions);
      requireDomain(
        counts.day > this.lastDay && counts.day <= asOfDay,
        'order',
        'unsettled days lie between the last settled one and the estimate',
      );
      addAll(weightAtAge(halfLives, asOfDay - counts.day), counts.n, counts.y);
    }
    // Rounding must not make more replies than sends of a day that all answered.
    return Array.from(sends, (sum, p) => ({ n: sum, y: Math.min(sum, replies[p] as number) }));
  }

  /** The state in numbers. */
  save(): Float64Array {
    return Float64Array.from([
      this.positions,
      this.firstDay,
      this.lastDay,
      this.from,
      ...this.known.save(),
      this.untold.length,
      ...this.untold.flatMap(({ toldOn, sums }) => [toldOn, ...sums.save()]),
      this.origins.length,
      ...this.origins.flatMap(({ day, known, n, y }) => [day, ...known.save(), ...n, ...y]),
      ...this.scores.flatMap((scores) => [...scores]),
    ]);
  }

  /** @throws StatsDomainError with code `size` */
  static restore(saved: Float64Array): ArmMemory {
    let next = 0;
    const take = (): number => {
      requireDomain(next < saved.length, 'size', 'a saved state is longer than this');
      return saved[next++] as number;
    };
    const takeAll = (length: number): Float64Array => Float64Array.from({ length }, take);
    const memory = new ArmMemory(take());
    const { positions } = memory;
    memory.firstDay = take();
    memory.lastDay = take();
    memory.from = take();
    memory.known = DiscountedSums.load(positions, take);
    memory.untold = Array.from({ length: take() }, () => ({
      toldOn: take(),
      sums: DiscountedSums.load(positions, take),
    }));
    memory.origins = Array.from({ length: take() }, () => ({
      day: take(),
      known: DiscountedSums.load(positions, take),
      n: takeAll(positions),
      y: takeAll(positions),
    }));
    for (const scores of memory.scores) scores.set(takeAll(SCORES));
    requireDomain(next === saved.length, 'size', 'a saved state ends here');
    return memory;
  }

  private daysSince(asOfDay: number): number {
    requireDomain(Number.isInteger(asOfDay), 'range', 'the day of an estimate is a whole number');
    requireDomain(asOfDay >= this.lastDay, 'order', 'an estimate cannot be older than the settled days');
    return this.lastDay === NO_DAY ? 0 : asOfDay - this.lastDay;
  }

  /** One day on: the day's counts, the forecasts that end with it, and a new forecast every week. */
  private step(day: number, counts: DayCounts | null): void {
    this.lastDay = day;
    this.known.add(counts);
    for (const { sums } of this.untold) sums.add(counts);
    this.tell();
    for (const scores of this.scores) scores.forEach((score, i) => (scores[i] = SCORE_DECAY * score));
    for (const origin of this.origins) {
      for (let p = 0; p < this.positions; p++) {
        origin.n[p] = (origin.n[p] as number) + (counts?.n[p] ?? 0);
        origin.y[p] = (origin.y[p] as number) + (counts?.y[p] ?? 0);
      }
      HORIZONS.forEach((horizon, i) => {
        if (day === origin.day + horizon) this.score(this.scores[i] as Float64Array, origin);
      });
    }
    this.origins = this.origins.filter((origin) => day < origin.day + LONGEST_HORIZON);
    const age = day - this.firstDay;
    if (age >= ORIGIN_STRIDE && age % ORIGIN_STRIDE === ORIGIN_STRIDE - 1)
      this.origins.push({
        day,
        known: this.known.copy(),
        n: new Float64Array(this.positions),
        y: new Float64Array(this.positions),
      });
  }

  private score(into: Float64Array, { known, n, y }: Origin): void {
    forecastScores(known, n, y)?.forEach((score, i) => (into[i] = (into[i] as number) + score));
  }

  /** Forecasts know of a change from the day on which it was told. */
  private tell(): void {
    while (this.untold.length > 0 && (this.untold[0] as Told).toldOn <= this.lastDay)
      this.known = (this.untold.shift() as Told).sums;
  }
}
