import { createHash } from 'node:crypto';
import type { KnownWeek } from './history-source';

/** Sums far back are made at weeks so far apart: they last longer, and the weeks since are read from their digests. */
const WEEKS_BETWEEN_SUMS = 13;

/** All weeks up to a settled one, added up: while none of them changes, a run begins behind them. */
export interface SettledSums {
  readonly week: number;
  /** See `nameOfWeeks`. */
  readonly name: Buffer;
  /** A digest. */
  readonly encoded: Buffer;
}

/** Whether sums may end with a week. */
export function mayBeSummed(week: number): boolean {
  return week % WEEKS_BETWEEN_SUMS === 0;
}

/** Another one after every change of the counts of any of these weeks, and where one comes or goes. */
export function nameOfWeeks(weeks: readonly KnownWeek[]): Buffer {
  const hash = createHash('sha256');
  for (const { week, revision } of weeks) hash.update(`${week} ${revision} `);
  return hash.digest();
}
