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
