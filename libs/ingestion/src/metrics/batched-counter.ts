import { Counter } from '@outcomes/platform';

/** What is still to be counted of one set of labels. */
export interface Tally {
  count: number;
}

/**
 * A counter that takes over plain numbers when it is asked for its values: counting in prom-client itself seeks the
 * labels by their text, each time.
 */
export class BatchedCounter<Label extends string> {
  private readonly tallies: (Tally & { readonly labels: Record<Label, string> })[] = [];

  constructor(config: ConstructorParameters<typeof Counter<Label>>[0]) {
    const { tallies } = this;
    new Counter<Label>({
      ...config,
      collect() {
        for (const tally of tallies) {
          this.inc(tally.labels, tally.count);
          tally.count = 0;
        }
      },
    });
  }

  /** @returns a number to add to, from 0 */
  labels(labels: Record<Label, string>): Tally {
    const tally = { labels, count: 0 };
    this.tallies.push(tally);
    return tally;
  }
}
