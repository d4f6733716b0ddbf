/** What is known of one message: the parts of its events, put together. */
export interface Message {
  /** Index into CHANNELS. */
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into TONES; null where the caller named none. */
  readonly tone: number | null;
  readonly sentAtMs: number;
  /** Minutes east of UTC that came with sent_at; null for Z or none. */
  readonly sentOffsetMinutes: number | null;
  readonly sentHasTime: boolean;
  readonly wordCount: number | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly bodyExcerpt: string | null;
  /** Names by which the text may address its reader: first name, company, domain. */
  readonly readerNames: readonly string[];
  readonly jobTitle: string | null;
}
