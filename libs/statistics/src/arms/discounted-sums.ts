import type { DayCounts } from './day-counts';
import { decay, HALF_LIVES } from './half-lives';

const DAILY = HALF_LIVES.map((halfLife) => decay(halfLife, 1));

/** Sends and replies per half-life and position, each day's weighing half as much after each half-life. */
export class DiscountedSums {
  /** at half-life * positions + position */
  readonly n: Float64Array;
  readonly y: Float64Array;

  constructor(readonly positions: number) {
    this.n = new Float64Array(HALF_LIVES.length * positions);
    this.y = new Float64Array(HALF_LIVES.length * positions);
  }

  /** One day on, with that day's counts; null for a day without sends. */
  add(counts: DayCounts | null): void {
    for (let h = 0; h < HALF_LIVES.length; h++) {
      const kept = DAILY[h] as number;
      for (let p = 0; p < this.positions; p++) {
        const at = h * this.positions + p;
        this.n[at] = kept * (this.n[at] as number) + (counts?.n[p] ?? 0);
        this.y[at] = kept * (this.y[at] as number) + (counts?.y[p] ?? 0);
      }
    }
  }

  copy(): DiscountedSums {
    const copied = new DiscountedSums(this.positions);
    copied.n.set(this.n);
    copied.y.set(this.y);
    return copied;
  }

  save(): number[] {
    return [...this.n, ...this.y];
  }

  static load(positions: number, take: () => number): DiscountedSums {
    const sums = new DiscountedSums(positions);
    sums.n.forEach((_, at, n) => (n[at] = take()));
    sums.y.forEach((_, at, y) => (y[at] = take()));
    return sums;
  }
}
