/** What people read about one pattern. HTML is limited to b, em, strong and code; no values are filled in here. */
export interface PatternText {
  /** Two short paragraphs: what the pattern is, and how to think about it. */
  readonly description: readonly [string, string];
  /** Advice where the pattern goes with more replies. One sentence. */
  readonly more: string;
  /** Advice where the pattern goes with fewer replies. One sentence. */
  readonly less: string;
  /** A caution that belongs to this pattern alone. */
  readonly note?: string;
}
