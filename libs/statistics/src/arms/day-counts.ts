import { type ChannelCounts, checkChannelCounts, rowFrom } from '../drift/channel-counts';
import { requireDomain } from '../numerics/stats-domain-error';

/** Sends and replies of one send day per position; fractions where outcomes are still weighted for maturity. */
export interface DayCounts {
  /** whole days since any fixed day */
  readonly day: number;
  readonly n: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** @throws StatsDomainError with code `range`, `size` or `count` */
export function checkDayCounts({ day, n, y }: DayCounts, positions: number): void {
  requireDomain(Number.isInteger(day), 'range', 'a send day is a whole number');
  requireDomain(
    n.length === positions && y.length === positions,
    'size',
    'a day needs sends and replies of every position',
  );
  for (let p = 0; p < positions; p++) {
    const [sends, replies] = [n[p] as number, y[p] as number];
    requireDomain(
      replies >= 0 && replies <= sends && sends < Infinity,
      'count',
      'replies must lie between zero and the sends',
    );
  }
}

/**
 * A channel's counts by send day and position, as `ArmMemory` takes them.
 *
 * Shapes: counts of any number of days in, one entry per day with sends out.
 * @param counts - counts of one channel, sorted by day
 * @param positions - number of arms; every position below it
 * @param fromDay - first day wanted
 * @param toDay - last day wanted
 * @returns days with rows, in order
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 *
 * Reference: arithmetic.
 *
 * @example
 * dayCounts(channelWorld({ days: 9, sendsPerDay: 60 }, seededRng(1)).counts, 6, 2, 4).length; // 3
 */
export function dayCounts(
  counts: ChannelCounts,
  positions: number,
  fromDay: number,
  toDay: number,
): DayCounts[] {
  const [from, to] = [rowFrom(counts, fromDay), rowFrom(counts, toDay + 1)];
  checkChannelCounts(counts, from, to);
  const days: { day: number; n: Float64Array; y: Float64Array }[] = [];
  for (let row = from; row < to;) {
    const day = counts.day[row] as number;
    const [n, y] = [new Float64Array(positions), new Float64Array(positions)];
    for (; row < to && counts.day[row] === day; row++) {
      const position = counts.position[row] as number;
      requireDomain(position < positions, 'range', 'a position beyond the number of arms');
      n[position] = (n[position] as number) + (counts.n[row] as number);
      y[position] = (y[position] as number) + (counts.y[row] as number);
    }
    days.push({ day, n, y });
  }
  return days;
}
