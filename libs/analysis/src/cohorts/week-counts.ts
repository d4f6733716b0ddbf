import { CHANNELS, LEVEL_COUNT } from '@outcomes/contracts';
import { CohortColumns, copied } from './cohort-columns';
import { TOTALS, type CohortRow, type CohortTotals } from './cohort-row';
import { DAYS_PER_WEEK, HOURS_PER_DAY, weekdayOf } from './days';

/** Days of delay that are told apart; what came later is in the last. */
export const DELAY_DAYS = 30;

/** All counts of one week, as they are stored: the unit in which a history is read and summed. */
export class WeekCounts extends CohortColumns {
  /** LEVEL_COUNT numbers per row */
  levelTouches = new Int32Array(64 * LEVEL_COUNT);
  levelReplies = new Int32Array(64 * LEVEL_COUNT);
  /** per level of LEVELS, messages that were assigned at random */
  readonly levelRandomized = new Float64Array(LEVEL_COUNT);
  /** index weekday (Monday first) * 24 + hour */
  readonly hourTouches = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  readonly hourReplies = new Float64Array(DAYS_PER_WEEK * HOURS_PER_DAY);
  /** per channel and send day: replies by whole days between sending and answering */
  readonly replyDelays: readonly Map<number, Float64Array>[] = CHANNELS.map(() => new Map());
  readonly totals: CohortTotals = noTotals();

  constructor(readonly week: number) {
    super();
  }

  append(row: CohortRow): void {
    const at = this.push(row, row.lastOutcomeAt?.getTime() ?? Number.NaN);
    this.levelTouches.set(row.levelTouches, at * LEVEL_COUNT);
    this.levelReplies.set(row.levelReplies, at * LEVEL_COUNT);
    for (const name of TOTALS) this.totals[name] += row[name];
    addCounts(this.levelRandomized, row.levelRandomized, 0, LEVEL_COUNT);
    const hours = weekdayOf(row.day) * HOURS_PER_DAY;
    addCounts(this.hourTouches, row.hourTouches, hours, HOURS_PER_DAY);
    addCounts(this.hourReplies, row.hourReplies, hours, HOURS_PER_DAY);
    const days = this.replyDelays[row.channel];
    const delays = days?.get(row.day) ?? new Float64Array(DELAY_DAYS);
    days?.set(row.day, delays);
    addCounts(delays, row.replyDelays, 0, DELAY_DAYS);
  }

  /** Messages and replies of a row per level, over this table's own memory. */
  levelsAt(row: number): { readonly touches: Int32Array; readonly replies: Int32Array } {
    const [from, to] = [row * LEVEL_COUNT, (row + 1) * LEVEL_COUNT];
    return {
      touches: this.levelTouches.subarray(from, to),
      replies: this.levelReplies.subarray(from, to),
    };
  }

  protected override grow(length: number): void {
    super.grow(length);
    this.levelTouches = copied(new Int32Array(length * LEVEL_COUNT), this.levelTouches);
    this.levelReplies = copied(new Int32Array(length * LEVEL_COUNT), this.levelReplies);
  }
}

export function noTotals(): CohortTotals {
  return { touches: 0, replies: 0, bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, streamed: 0 };
}

/** Adds up to `length` counts from the place `at` on. */
export function addCounts(sums: Float64Array, counts: ArrayLike<number>, at: number, length: number): void {
  for (let i = 0; i < Math.min(counts.length, length); i += 1) {
    sums[at + i] = (sums[at + i] ?? 0) + (counts[i] ?? 0);
  }
}
