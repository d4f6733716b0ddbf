interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes items in groups: at once while nothing is under way, and together with all that arrived meanwhile
 * otherwise. One caller never waits for company; many share a commit. A failed write fails everybody in it.
 */
export class GroupCommit<Item> {
  private waiting: Waiting<Item>[] = [];
  private underWay: Promise<void> | undefined;

  /**
   * @param write - resolves after COMMIT
   * @param largestGroup - items that one write takes at most
   */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<void>,
    private readonly largestGroup: number,
  ) {}

  /** Resolves when the item is committed; rejects with what failed its group. */
  add(item: Item): Promise<void> {
    const committed = new Promise<void>((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    this.underWay ??= this.writeAll();
    return committed;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.underWay;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting.slice(0, this.largestGroup);
      this.waiting = this.waiting.slice(this.largestGroup);
      try {
        await this.write(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.underWay = undefined;
  }
}
