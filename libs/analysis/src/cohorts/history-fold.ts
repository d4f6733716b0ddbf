import { createHash } from 'node:crypto';
import { PatternTest } from '@outcomes/statistics';
import { PATTERN_DESIGN } from '../patterns/pattern-design';
import type { TestedCohorts } from '../runs/tested-cohorts';
import { isMature } from './cohort-table';
import type { WeekCounts } from './week-counts';

/** Checkpoints far back are kept this many weeks apart: an old change then costs the weeks since the one before it. */
const WEEKS_BETWEEN_CHECKPOINTS = 13;

/** The sequential tests after all weeks up to one. It holds counts and likelihoods, and nothing of a message. */
export interface Checkpoint {
  readonly week: number;
  /** Names what was tested so far, see `linkOf`. */
  readonly link: Buffer;
  readonly state: Float64Array;
}

/** Where a checkpoint stands, without its state. */
export type CheckpointMark = Pick<Checkpoint, 'week' | 'link'>;

/**
 * Name of everything that the tests saw up to a week: equal names, equal state. So a checkpoint is valid as long as
 * the names agree, whatever happened to the counts meanwhile.
 */
export function linkOf(before: Buffer, week: number, frozen: Buffer): Buffer {
  return createHash('sha256').update(before).update(String(week)).update(frozen).digest();
}

/** Name of an empty history. */
export const FIRST_LINK = Buffer.alloc(0);

/** Whether a checkpoint is worth its place, the newest one aside. */
export function isKept(week: number): boolean {
  return week % WEEKS_BETWEEN_CHECKPOINTS === 0;
}

/** The sequential tests of a history, fed week by week. */
export class HistoryFold {
  /** Cohorts that the tests take for the first time, with what they hold now: to be remembered when the run is. */
  readonly tested: { -readonly [Column in keyof TestedCohorts]: number[] } = {
    day: [],
    channel: [],
    step: [],
    position: [],
    touches: [],
    replies: [],
  };
  private ended = false;

  constructor(
    private readonly observedUntil: number,
    private readonly test = new PatternTest(PATTERN_DESIGN),
  ) {}

  static continued(observedUntil: number, state: Float64Array): HistoryFold {
    return new HistoryFold(observedUntil, PatternTest.restore(PATTERN_DESIGN, state));
  }

  /**
   * Tests the days of which all cohorts are mature, and stops at the first that is not: channels mature at different
   * ages, and a block that one of them is still to join must not close without it.
   */
  add(week: WeekCounts): void {
    const untested = new Set(week.untested);
    for (const rows of daysOf(week)) {
      this.ended ||= rows.some((row) => !this.isMature(week, row));
      if (this.ended) return;
      for (const row of rows) {
        this.test.add(week.frozen(row));
        if (untested.has(row)) this.note(week, row);
      }
    }
  }

  evidence() {
    return this.test.evidence();
  }

  save(): Float64Array {
    return this.test.save();
  }

  private isMature(week: WeekCounts, row: number): boolean {
    return isMature(week.channel[row] ?? 0, this.observedUntil - (week.day[row] ?? 0));
  }

  private note(week: WeekCounts, row: number): void {
    const { day, channel, step, position, touches, replies } = week.cellsAt(row);
    for (const [name, value] of Object.entries({ day, channel, step, position, touches, replies })) {
      this.tested[name as keyof TestedCohorts].push(value);
    }
  }
}

/** Rows of each day, in order. */
function daysOf(week: WeekCounts): number[][] {
  const days: number[][] = [];
  for (let row = 0; row < week.size; row += 1) {
    if (row > 0 && week.day[row] === week.day[row - 1]) days.at(-1)?.push(row);
    else days.push([row]);
  }
  return days;
}
