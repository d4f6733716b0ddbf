/** What is counted once per cohort, whatever its levels. */
export interface CohortCells {
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
  readonly streamed: number;
}

/** Counts of one send day and stratum, as Postgres keeps them. Arrays may be shorter than full: zeros follow. */
export interface CohortRow extends CohortCells {
  readonly bounces: number;
  readonly unsubscribes: number;
  readonly opens: number;
  readonly meetings: number;
  readonly lastOutcomeAt: Date | null;
  readonly levelTouches: ArrayLike<number>;
  readonly levelReplies: ArrayLike<number>;
  /** Of levelTouches, those that were assigned at random. */
  readonly levelRandomized: ArrayLike<number>;
  readonly hourTouches: ArrayLike<number>;
  readonly hourReplies: ArrayLike<number>;
  readonly replyDelays: ArrayLike<number>;
}

export const TOTALS = [
  'touches',
  'replies',
  'bounces',
  'unsubscribes',
  'opens',
  'meetings',
  'streamed',
] as const;
export type CohortTotals = Record<(typeof TOTALS)[number], number>;
