import { CHANNELS, DAY_MS, LEVEL_COUNT, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import { CohortColumns } from './cohort-columns';
import { TOTALS, type CohortTotals } from './cohort-row';
import { DAYS_PER_WEEK, HOURS_PER_DAY, weekdayOf } from './days';
import { LevelSums, type StratumLevels } from './stratum-levels';
import { addCounts, DELAY_DAYS, noTotals, type WeekCounts } from './week-counts';
import type { Gap } from './history-source';
import type { WeekDigest } from './week-digest';

export type { CohortRow } from './cohort-row';

type WeekSums = Pick<WeekDigest, 'totals' | 'levelRandomized' | 'hourTouches' | 'hourReplies'>;

/** Replies by delay of cohorts of one channel and age. */
interface YoungDelays {
  readonly channel: number;
  readonly day: number;
  readonly delays: Float64Array;
}

/** Counts per level of a day that is not mature. */
interface YoungLevels {
  readonly channel: number;
  readonly day: number;
  readonly touches: Float64Array;
  readonly replies: Float64Array;
}

/**
 * A company's whole history as the estimators read it: a few numbers per send day and stratum, and sums of
 * everything that is counted per level. Weeks are added in order, as counts or, where nothing changed, as digests.
 */
export class CohortTable extends CohortColumns {
  readonly totals: CohortTotals = noTotals();
  /** per level of LEVELS, messages that were assigned at random */
  readonly levelRandomized = new Float64Array(LEVEL_COUNT);
  /** index weekday (Monday first) * 24 + hour */
  readonly hourTouches = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  readonly hourReplies = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  readonly youngLevels: YoungLevels[] = [];
  /** per channel: replies of all mature cohorts by whole days between sending and answering */
  readonly matureDelays: readonly Float64Array[] = CHANNELS.map(() => new Float64Array(DELAY_DAYS));
  readonly youngDelays: YoungDelays[] = [];
  /** by send day, of weeks that are not mature: messages per hour of the day, by the clock of their sender */
  readonly youngHours = new Map<number, Float64Array>();
  private readonly mature = new LevelSums();

  /**
   * @param observedUntil - day up to which the company's outcomes are known: that of the newest outcome or of the
   * newest message. History that was observed to its end is mature when it is imported, however long ago its last
   * message was sent; an export that ends with its newest message is not taken for complete.
   * @param gap - where sources are silent: what was sent later is not in the table
   * @param senderClock - of a moment, the time by the clocks that days and hours of sending are told by
   */
  constructor(
    readonly observedUntil: number,
    readonly gap?: Gap,
    private readonly senderClock = (at: number) => at,
  ) {
    super();
  }

  /** Last send day that counts. */
  get sentUntil(): number {
    return this.gap?.sentUntil ?? this.observedUntil;
  }

  /**
   * Moment up to which outcomes are known, in days since 1970-01-01 by the clocks of the senders: that of the newest outcome. A
   * date alone stands for the whole day.
   */
  get observedAt(): number {
    const end = this.observedUntil + 1;
    const newest = this.lastOutcomeAt.subarray(0, this.size).reduce((a, b) => (b > a ? b : a), -Infinity);
    if (newest === -Infinity || newest % DAY_MS === 0 || this.gap !== undefined) return end;
    return this.senderClock(newest) / DAY_MS;
  }

  /** Newest send day; undefined where the company has sent nothing. */
  get newestDay(): number | undefined {
    return this.size > 0 ? this.day[this.size - 1] : undefined;
  }

  /** Messages and replies of the mature cohorts, per stratum and level. */
  get matureLevels(): readonly StratumLevels[] {
    return this.mature.list();
  }

  /** Days over which the touches of a row were observed. */
  ageOf(row: number): number {
    return this.observedUntil - (this.day[row] ?? 0);
  }

  isMature(row: number): boolean {
    return isMature(this.channel[row] ?? 0, this.ageOf(row));
  }

  /** Weeks whose cohorts are all mature. */
  addDigest(digest: WeekDigest): void {
    this.addAll(digest.rows);
    this.addSums(digest);
    digest.delays.forEach((delays, channel) => this.addMatureDelays(channel, delays));
    for (const { channel, step, position, touches, replies } of digest.levels.list()) {
      const sums = this.mature.of(channel, step, position);
      addCounts(sums.touches, touches, 0, LEVEL_COUNT);
      addCounts(sums.replies, replies, 0, LEVEL_COUNT);
    }
  }

  /** Everything so far as one digest, where all of it is of settled weeks. */
  settledDigest(): WeekDigest {
    const { totals, levelRandomized, hourTouches, hourReplies, matureDelays, mature } = this;
    return {
      ...{ rows: this, totals, levelRandomized, hourTouches, hourReplies },
      ...{ delays: matureDelays, levels: mature },
    };
  }

  /** A week of which some cohorts are not mature yet. */
  addWeek(week: WeekCounts): void {
    for (let row = 0; row < week.size; row += 1) {
      const at = this.copy(week, row);
      const { day, channel, step, position } = week.cellsAt(row);
      const { touches, replies } = week.levelsAt(row);
      const sums = this.isMature(at) ? this.mature.of(channel, step, position) : this.young(channel, day);
      addCounts(sums.touches, touches, 0, LEVEL_COUNT);
      addCounts(sums.replies, replies, 0, LEVEL_COUNT);
    }
    this.addSums(week);
    for (let day = week.week * DAYS_PER_WEEK; day < (week.week + 1) * DAYS_PER_WEEK; day += 1) {
      const from = weekdayOf(day) * HOURS_PER_DAY;
      this.youngHours.set(day, week.hourTouches.subarray(from, from + HOURS_PER_DAY));
    }
    week.replyDelays.forEach((days, channel) => {
      for (const [day, delays] of days) {
        if (isMature(channel, this.observedUntil - day)) this.addMatureDelays(channel, delays);
        else this.youngDelays.push({ channel, day, delays });
      }
    });
  }

  private copy(from: CohortColumns, row: number): number {
    return this.push(from.cellsAt(row), from.lastOutcomeAt[row] ?? Number.NaN);
  }

  private addSums({ totals, levelRandomized, hourTouches, hourReplies }: WeekSums): void {
    for (const name of TOTALS) this.totals[name] += totals[name];
    addCounts(this.levelRandomized, levelRandomized, 0, LEVEL_COUNT);
    addCounts(this.hourTouches, hourTouches, 0, hourTouches.length);
    addCounts(this.hourReplies, hourReplies, 0, hourReplies.length);
  }

  private addMatureDelays(channel: number, delays: Float64Array): void {
    const sums = this.matureDelays[channel];
    if (sums) addCounts(sums, delays, 0, DELAY_DAYS);
  }

  private young(channel: number, day: number): YoungLevels {
    let found = this.youngLevels.find((one) => one.channel === channel && one.day === day);
    if (found === undefined) {
      const [touches, replies] = [new Float64Array(LEVEL_COUNT), new Float64Array(LEVEL_COUNT)];
      this.youngLevels.push((found = { channel, day, touches, replies }));
    }
    return found;
  }
}

/** @param age - days over which the messages were observed */
export function isMature(channel: number, age: number): boolean {
  return age >= MATURITY_DAYS[CHANNELS[channel] as Channel];
}
