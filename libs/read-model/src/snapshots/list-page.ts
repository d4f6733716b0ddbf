import type { ServedFrame } from '../runs/served-frame';

/** Part of a list of which the answer is the list alone: how it goes on stands beside it. */
export class ListPage {
  /**
   * @param nextCursor - undefined on the last page
   * @param frame - what is said of the run that it is read beside
   */
  constructor(
    readonly items: readonly unknown[],
    readonly nextCursor: string | undefined,
    readonly frame?: ServedFrame,
  ) {}
}
