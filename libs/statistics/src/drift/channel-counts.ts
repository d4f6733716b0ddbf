import { requireDomain } from '../numerics/stats-domain-error';

/**
 * Settled counts of one channel in columns, one row per send day, position, step and campaign; rows sorted by day,
 * in any order within a day. Typed arrays, because two years of a busy channel are some 80,000 rows.
 */
export interface ChannelCounts {
  /** number of rows; the columns may be longer */
  readonly size: number;
  /** send day, whole days since any fixed day; weeks are counted from day 0 */
  readonly day: Int32Array;
  readonly position: Int32Array;
  readonly step: Int32Array;
  /** index of the campaign; 0 or below: without campaign, which counts as one campaign of its own */
  readonly campaign: Int32Array;
  readonly n: Int32Array;
  readonly y: Int32Array;
}

/** Positions, steps and campaigns are indexes of tables, not hashes: their columns index dense arrays. */
const LARGEST_BUCKET = 1_023;
const LARGEST_CAMPAIGN = 1_000_000;

/** @throws StatsDomainError with code `size`, `order`, `range` or `count` */
export function checkChannelCounts(counts: ChannelCounts): void {
  const { size, day, position, step, campaign, n, y } = counts;
  requireDomain(
    Number.isInteger(size) &&
      size >= 0 &&
      [day, position, step, campaign, n, y].every(({ length }) => length >= size),
    'size',
    'every column needs a value for each row',
  );
  for (let i = 0; i < size; i++) {
    requireDomain(
      i === 0 || (day[i] as number) >= (day[i - 1] as number),
      'order',
      'rows must be sorted by day',
    );
    const [p, s, c] = [position[i] as number, step[i] as number, campaign[i] as number];
    requireDomain(
      p >= 0 && p <= LARGEST_BUCKET && s >= 0 && s <= LARGEST_BUCKET && c <= LARGEST_CAMPAIGN,
      'range',
      'positions, steps and campaigns must be small indexes',
    );
    requireDomain(
      (y[i] as number) >= 0 && (y[i] as number) <= (n[i] as number),
      'count',
      'replies must lie between zero and the sends',
    );
  }
}
