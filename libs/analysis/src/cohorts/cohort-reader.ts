import type { CohortRow } from './cohort-row';
import { IntegerArray } from './integer-array';

/** A row as the driver hands it over. */
export interface StoredCohort {
  readonly day: number;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly touches: number;
  readonly replies: number;
  readonly bounces: number;
  readonly unsubscribes: number;
  readonly opens: number;
  readonly meetings: number;
  readonly streamed: number;
  readonly last_outcome_at: Date | null;
  readonly level_touches: string;
  readonly level_replies: string;
  readonly level_randomized: string;
  readonly hour_touches: string;
  readonly hour_replies: string;
  readonly reply_delays: string;
}

/** Of cohort_counts. */
export const COHORT_COLUMNS = `sent_day - date '1970-01-01' AS day, channel, step_bucket AS step, position, touches,
  replies, bounces, unsubscribes, opens, meetings, streamed, last_outcome_at, level_touches::text,
  level_replies::text, level_randomized::text, hour_touches::text, hour_replies::text, reply_delays::text`;

/** Turns stored rows into counts. */
export class CohortReader {
  private readonly levelTouches = new IntegerArray();
  private readonly levelReplies = new IntegerArray();
  private readonly levelRandomized = new IntegerArray();
  private readonly hourTouches = new IntegerArray();
  private readonly hourReplies = new IntegerArray();
  private readonly replyDelays = new IntegerArray();

  /** @returns a row over memory that the next call writes over */
  rowOf(stored: StoredCohort): CohortRow {
    return {
      ...stored,
      lastOutcomeAt: stored.last_outcome_at,
      levelTouches: this.levelTouches.parse(stored.level_touches),
      levelReplies: this.levelReplies.parse(stored.level_replies),
      levelRandomized: this.levelRandomized.parse(stored.level_randomized),
      hourTouches: this.hourTouches.parse(stored.hour_touches),
      hourReplies: this.hourReplies.parse(stored.hour_replies),
      replyDelays: this.replyDelays.parse(stored.reply_delays),
    };
  }
}
