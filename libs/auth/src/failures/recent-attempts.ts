import { atMost, type Clock } from '@outcomes/platform';
import { LRUCache } from 'lru-cache';

/** Marks that a pod remembers at most; the longest unused go first. */
const MAX_MARKS = 50_000;

/** What count-attempt.lua does, in this pod's memory: for what must cost no I/O, and while Redis is away. */
export class RecentAttempts {
  private readonly times: LRUCache<string, number[]>;
  private readonly windowMs: number;

  constructor(
    private readonly limit: number,
    windowSeconds: number,
    private readonly clock: Clock,
  ) {
    this.windowMs = windowSeconds * 1_000;
    this.times = new LRUCache(atMost(MAX_MARKS));
  }

  /** @returns how many attempts there are now, this one included; limit + 1 where it was reached before */
  count(mark: string): number {
    const now = this.clock.now().getTime();
    const entries = this.present(mark, now);
    if (entries.length >= this.limit) return this.limit + 1;
    this.times.set(mark, [now, ...entries]);
    return entries.length + 1;
  }

  isFull(mark: string): boolean {
    return this.present(mark, this.clock.now().getTime()).length >= this.limit;
  }

  clear(mark: string): void {
    this.times.delete(mark);
  }

  private present(mark: string, now: number): readonly number[] {
    const entries = this.times.get(mark) ?? [];
    const newest = entries[0];
    if (newest === undefined || newest <= now - this.windowMs) return [];
    return entries.length >= this.limit ? entries : entries.filter((time) => time > now - this.windowMs);
  }
}
