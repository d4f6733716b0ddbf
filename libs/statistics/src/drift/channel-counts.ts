import { requireDomain } from '../numerics/stats-domain-error';

/**
 * Settled counts of one channel in columns, one row per send day, position, step and campaign; rows sorted by day,
 * in any order within a day. Typed arrays, because half a year of a busy channel is half a million
 * rows: what fits a byte takes one.
 */
export interface ChannelCounts {
  /** number of rows; the columns may be longer */
  readonly size: number;
  /** send day, whole days since any fixed day; weeks are counted from day 0 */
  readonly day: Int32Array;
  /** index of the position, below 64 */
  readonly position: Uint8Array;
  /** index of the step, below 64 */
  readonly step: Uint8Array;
  /** index of the campaign, below 2^20; 0 or below: without campaign, which counts as one campaign of its own */
  readonly campaign: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;
}

/** Positions and steps are indexes of tables, not hashes: 6 bits each, and 20 for the campaigns. */
export const BUCKETS = 64;
export const CAMPAIGNS = 1_048_576;

/** @throws StatsDomainError with code `size`, `order`, `range` or `count` */
export function checkChannelCounts(counts: ChannelCounts, from = 0, to = counts.size): void {
  const { size, day, position, step, campaign, n, y } = counts;
  requireDomain(
    Number.isInteger(size) &&
      size >= 0 &&
      [day, position, step, campaign, n, y].every(({ length }) => length >= size),
    'size',
    'every column needs a value for each row',
  );
  for (let i = from; i < to; i++) {
    const sorted = i === from || (day[i] as number) >= (day[i - 1] as number);
    requireDomain(sorted, 'order', 'rows must be sorted by day');
    const bucketed =
      (position[i] as number) >= 0 &&
      (position[i] as number) < BUCKETS &&
      (step[i] as number) >= 0 &&
      (step[i] as number) < BUCKETS &&
      (campaign[i] as number) < CAMPAIGNS;
    requireDomain(bucketed, 'range', 'positions, steps and campaigns must be small indexes');
    const counted = (y[i] as number) >= 0 && (y[i] as number) <= (n[i] as number);
    requireDomain(counted, 'count', 'replies must lie between zero and the sends');
  }
}

/**
 * Where a day's rows begin.
 *
 * Shapes: columns of any length in, the index of a row out.
 * @param counts - sorted by day; not checked
 * @param from - whole day, or infinite
 * @returns first row that is not before the day, 0..size
 * @throws Never throws.
 *
 * Reference: binary search.
 *
 * @example
 * rowFrom(channelWorld({ days: 40, sendsPerDay: 60 }, seededRng(1)).counts, 0); // 0
 */
export function rowFrom(counts: ChannelCounts, from: number): number {
  const { size, day } = counts;
  let low = 0;
  let high = Math.min(size, day.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((day[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Day of the first row with sends; null without one. */
export function firstSendDay({ size, day, n }: ChannelCounts): number | null {
  for (let row = 0; row < size; row++) if ((n[row] as number) > 0) return day[row] as number;
  return null;
}
