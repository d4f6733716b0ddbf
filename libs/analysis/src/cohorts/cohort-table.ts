import { LEVEL_COUNT, MATURITY_DAYS, CHANNELS } from '@outcomes/contracts';

export const DAYS_PER_WEEK = 7;
export const HOURS_PER_DAY = 24;
const DAY_MS = 86_400_000;
const EPOCH_WEEKDAY = 3; // 1970-01-01 was a Thursday; Monday is 0.

/** Replies with which a cohort entered the tests, where they are not its present ones. */
export interface TestedReplies {
  readonly replies: number;
  readonly levelReplies: ArrayLike<number>;
}

/** Counts of one send day and stratum, as Postgres keeps them. Arrays may be shorter than full: zeros follow. */
export interface CohortRow {
  /** days since 1970-01-01 */
  readonly day: number;
  /** index into CHANNELS */
  readonly channel: number;
  /** index into STEP_BUCKETS */
  readonly step: number;
  /** index into POSITIONS */
  readonly position: number;
  readonly touches: number;
  readonly replies: number;
  readonly bounces: number;
  readonly unsubscribes: number;
  readonly opens: number;
  readonly meetings: number;
  readonly streamed: number;
  readonly lastOutcomeAt: Date | null;
  readonly levelTouches: ArrayLike<number>;
  readonly levelReplies: ArrayLike<number>;
  readonly hourTouches: ArrayLike<number>;
  readonly hourReplies: ArrayLike<number>;
  readonly replyDelays: ArrayLike<number>;
  /** Whether the cohort, with these very touches, has entered the tests. */
  readonly isTested: boolean;
  /** The replies with which it entered them, where they are not the present ones. */
  readonly tested: TestedReplies | null;
}

export type CohortTotals = Record<
  'touches' | 'replies' | 'bounces' | 'unsubscribes' | 'opens' | 'meetings' | 'streamed',
  number
>;

/**
 * A company's counts in columns, in order of (day, channel, step, position). Two years of a busy company are some
 * ten thousand rows of LEVEL_COUNT numbers: typed arrays keep that in tens of megabytes whatever the history.
 */
export class CohortTable {
  size = 0;
  day = new Int32Array(64);
  channel = new Uint8Array(64);
  step = new Uint8Array(64);
  position = new Uint8Array(64);
  touches = new Int32Array(64);
  replies = new Int32Array(64);
  streamed = new Int32Array(64);
  /** milliseconds since 1970, NaN where no outcome is known */
  lastOutcomeAt = new Float64Array(64);
  /** LEVEL_COUNT numbers per row */
  levelTouches = new Int32Array(64 * LEVEL_COUNT);
  levelReplies = new Int32Array(64 * LEVEL_COUNT);
  /**
   * Replies as the tests see them, for the rows where they are not the present ones. A cohort is tested with what it
   * held when it first was mature: a reply that comes later corrects the estimates and leaves the test as it was.
   * Where touches came or went since (imported, deleted), the cohort is another one and is tested anew.
   */
  readonly tested = new Map<number, TestedReplies>();
  private readonly untested: number[] = [];
  private newestOutcomeAt = Number.NaN;
  /** index weekday (Monday first) * 24 + hour */
  readonly hourTouches = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  readonly hourReplies = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  /** per channel and send day: replies by whole days between sending and answering */
  readonly replyDelays: readonly Map<number, number[]>[] = CHANNELS.map(() => new Map<number, number[]>());
  readonly totals: CohortTotals = {
    touches: 0,
    replies: 0,
    bounces: 0,
    unsubscribes: 0,
    opens: 0,
    meetings: 0,
    streamed: 0,
  };

  /** Newest send day; undefined where the company has sent nothing. */
  get newestDay(): number | undefined {
    return this.size > 0 ? this.day[this.size - 1] : undefined;
  }

  /** Rows come in order of day. */
  append(row: CohortRow): void {
    if (this.size === this.day.length) this.grow();
    const at = this.size;
    this.size += 1;
    this.day[at] = row.day;
    this.channel[at] = row.channel;
    this.step[at] = row.step;
    this.position[at] = row.position;
    this.touches[at] = row.touches;
    this.replies[at] = row.replies;
    this.streamed[at] = row.streamed;
    const outcomeAt = row.lastOutcomeAt?.getTime() ?? Number.NaN;
    this.lastOutcomeAt[at] = outcomeAt;
    if (!Number.isNaN(outcomeAt) && !(outcomeAt <= this.newestOutcomeAt)) this.newestOutcomeAt = outcomeAt;
    this.levelTouches.set(row.levelTouches, at * LEVEL_COUNT);
    this.levelReplies.set(row.levelReplies, at * LEVEL_COUNT);
    if (row.tested) {
      const levelReplies = new Int32Array(LEVEL_COUNT);
      levelReplies.set(row.tested.levelReplies);
      this.tested.set(at, { replies: row.tested.replies, levelReplies });
    }
    if (!row.isTested) this.untested.push(at);
    for (const name of Object.keys(this.totals) as (keyof CohortTotals)[]) this.totals[name] += row[name];
    const weekday = weekdayOf(row.day);
    add(this.hourTouches, row.hourTouches, weekday * HOURS_PER_DAY);
    add(this.hourReplies, row.hourReplies, weekday * HOURS_PER_DAY);
    const delays = this.delaysOf(row.channel, row.day);
    for (let age = 0; age < row.replyDelays.length; age += 1) {
      delays[age] = (delays[age] ?? 0) + (row.replyDelays[age] ?? 0);
    }
  }

  /**
   * Day up to which the company's outcomes are known: that of the newest outcome or of the newest message. History
   * that was observed to its end is mature when it is imported, however long ago its last message was sent; an
   * export that ends with its newest message is not taken for complete.
   */
  get observedUntil(): number {
    return Math.max(
      this.newestDay ?? 0,
      Number.isNaN(this.newestOutcomeAt) ? 0 : dayOfTime(this.newestOutcomeAt),
    );
  }

  /** Days over which the touches of a row were observed. */
  ageOf(row: number): number {
    return this.observedUntil - (this.day[row] ?? 0);
  }

  isMature(row: number): boolean {
    const channel = CHANNELS[this.channel[row] ?? 0] ?? 'email';
    return this.ageOf(row) >= MATURITY_DAYS[channel];
  }

  /** Rows that the tests take for the first time, with what they hold now: to be remembered when the run is. */
  get newlyTested(): readonly number[] {
    return this.untested.filter((row) => this.isMature(row));
  }

  private delaysOf(channel: number, day: number): number[] {
    const days = this.replyDelays[channel];
    const known = days?.get(day) ?? [];
    days?.set(day, known);
    return known;
  }

  private grow(): void {
    const length = this.day.length * 2;
    this.day = copied(new Int32Array(length), this.day);
    this.channel = copied(new Uint8Array(length), this.channel);
    this.step = copied(new Uint8Array(length), this.step);
    this.position = copied(new Uint8Array(length), this.position);
    this.touches = copied(new Int32Array(length), this.touches);
    this.replies = copied(new Int32Array(length), this.replies);
    this.streamed = copied(new Int32Array(length), this.streamed);
    this.lastOutcomeAt = copied(new Float64Array(length), this.lastOutcomeAt);
    this.levelTouches = copied(new Int32Array(length * LEVEL_COUNT), this.levelTouches);
    this.levelReplies = copied(new Int32Array(length * LEVEL_COUNT), this.levelReplies);
  }
}

/** @param day - days since 1970-01-01; Monday is 0 */
export function weekdayOf(day: number): number {
  return (((day + EPOCH_WEEKDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** Days since 1970-01-01 of milliseconds since then. */
function dayOfTime(milliseconds: number): number {
  return Math.floor(milliseconds / 86_400_000);
}

/** YYYY-MM-DD of days since 1970-01-01. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Days since 1970-01-01 of YYYY-MM-DD. */
export function dayOf(iso: string): number {
  return Math.floor(Date.parse(iso) / DAY_MS);
}

function copied<Column extends { set(from: Column): void }>(into: Column, from: Column): Column {
  into.set(from);
  return into;
}

function add(sums: Float64Array, counts: ArrayLike<number>, offset: number): void {
  for (let i = 0; i < Math.min(counts.length, HOURS_PER_DAY); i += 1) {
    sums[offset + i] = (sums[offset + i] ?? 0) + (counts[i] ?? 0);
  }
}
