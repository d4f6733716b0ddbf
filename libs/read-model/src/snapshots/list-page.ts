/** Part of a list of which the answer is the list alone: how it goes on stands beside it. */
export class ListPage {
  /** @param nextCursor - undefined on the last page */
  constructor(
    readonly items: readonly unknown[],
    readonly nextCursor: string | undefined,
  ) {}
}
