import type { Channel, Position } from '../outcomes/dimensions';
import type { ClaimEntry } from './company-answers';

/** A reply rate as it would have been stated on a day, and what came of the 30 days after it. */
export interface BacktestForecast {
  /** Day with which what was known ends, YYYY-MM-DD. */
  readonly madeOn: string;
  readonly channel: Channel;
  readonly position: Position;
  /** Stated reply rate with its 95 % interval. */
  readonly predicted: number;
  readonly low: number;
  readonly high: number;
  /** Messages that were sent in those days, and replies to them. */
  readonly n: number;
  readonly y: number;
}

/** How the stated rates came out, all forecasts together. */
export interface BacktestScores {
  readonly forecasts: number;
  readonly messages: number;
  readonly expectedReplies: number;
  readonly observedReplies: number;
  /** Null where nothing was expected. */
  readonly observedOverExpected: {
    readonly value: number;
    readonly low: number;
    readonly high: number;
  } | null;
  /** Forecasts that expected two replies or more, and those of them whose interval held. */
  readonly groups: number;
  readonly covered: number;
  readonly bins: readonly {
    readonly predicted: number;
    readonly observed: number;
    readonly low: number;
    readonly high: number;
    readonly n: number;
  }[];
}

/** Why there is no backtest: nothing was brought that is older than the first analysis, or there are too many campaigns. */
export type NoBacktestReason = 'no_history' | 'too_many_campaigns' | 'counts_are_rebuilt';

/**
 * Document `backtest`: history that was there before the first analysis, folded week by week as if there had been
 * analyses. Absent where none was made yet.
 */
export interface BacktestDocument {
  readonly made_at: string;
  /** Null where it was folded. */
  readonly reason: NoBacktestReason | null;
  /** Mondays of the first and the last week; null where none was folded. */
  readonly from: string | null;
  readonly through: string | null;
  readonly weeks: number;
  /** What would have been claimed when, newest first. */
  readonly claims: readonly ClaimEntry[];
  readonly scores: BacktestScores;
  /** Oldest first. */
  readonly forecasts: readonly BacktestForecast[];
}
