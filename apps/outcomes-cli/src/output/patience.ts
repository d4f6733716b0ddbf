/** Waits as long as anything moves, and a stated time after that. */
export class Patience {
  private seen = '';
  private movedAt: number;

  /**
   * @param seconds - without a movement before it ends
   * @param now - milliseconds that only ever grow
   */
  constructor(
    private readonly seconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.movedAt = now();
  }

  /** To be called where work is known to be under way although nothing changes. */
  renew(): void {
    this.movedAt = this.now();
  }

  /**
   * @param state - what is seen now; another than before is a movement
   * @returns whether there is reason to go on waiting
   */
  lasts(state: unknown): boolean {
    const seen = JSON.stringify(state) ?? '';
    if (seen !== this.seen) this.renew();
    this.seen = seen;
    return this.now() - this.movedAt < this.seconds * 1_000;
  }
}
