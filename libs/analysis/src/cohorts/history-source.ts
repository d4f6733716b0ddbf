import type { SilentSource } from '@outcomes/contracts';
import type { SettledSums } from './settled-sums';
import type { WeekCounts } from './week-counts';

/** A week of which something is known. */
export interface KnownWeek {
  readonly week: number;
  /** Another one after every change of the week's counts. */
  readonly revision: string;
}

/** A week, and its digest where one stands that is of today's make. */
export interface StoredWeek extends KnownWeek {
  readonly digest: Buffer | null;
}

/** How far a company's data reaches; undefined where there is none. */
export interface Reach {
  /** newest send day, days since 1970-01-01 */
  readonly newestDay: number | undefined;
  /** milliseconds since 1970 */
  readonly newestOutcomeAt: number | undefined;
}

/** What is not known because sources have gone silent. Days are since 1970-01-01. */
export interface Gap {
  /** Up to then everything was told. */
  readonly observedUntil: number;
  /** Messages after it count neither way: whether they were answered may never be told. */
  readonly sentUntil: number;
  /** The longest silent first. */
  readonly silent: readonly SilentSource[];
}

/** One state of a company's stored history. Weeks are those of `weekOf`, ascending; ranges include both ends. */
export interface HistorySource {
  /** Where sources are silent. */
  readonly gap?: Gap | undefined;
  /** Of a moment, the time by the clocks that days and hours of sending are told by; UTC by default. In milliseconds. */
  readonly senderClock?: ((at: number) => number) | undefined;
  readonly weeks: readonly KnownWeek[];
  /** The sums that stand, without what is in them. */
  readonly sums: Pick<SettledSums, 'week' | 'name'> | undefined;
  /** What stands in the sums. */
  readSums(): Promise<Buffer>;
  /** Digests of the weeks from one on. */
  digestsFrom(week: number): Promise<ReadonlyMap<number, Buffer>>;
  reachOf(weeks: readonly number[]): Promise<Reach>;
  /** The weeks of a range that have counts, in order. */
  counts(from: number, to: number): AsyncIterable<WeekCounts>;
}
