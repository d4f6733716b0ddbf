import type { SourceRecord } from '../interpret/read-path';
import { APOLLO, HUBSPOT, MAILBOX, MAILSHAKE } from './list-examples';
import { CONTACT_FILES, MESSAGE_FILES } from './file-examples';
import { RARER } from './rarer-examples';
import { RARER_IN_LISTS } from './rarer-list-examples';
import { INSTANTLY, LEMLIST, OUTREACH, REPLY_IO, SALESLOFT, SMARTLEAD, WOODPECKER } from './webhook-examples';

/** Records of one tool as its documentation shows them, with invented people, and what they have to become. */
export interface SourceExample {
  readonly tool: string;
  readonly route: string;
  readonly records: readonly SourceRecord[];
  /** What stands before them in the same file, of other routes. */
  readonly earlier?: readonly { readonly route: string; readonly record: SourceRecord }[];
  readonly context?: {
    readonly campaign?: string;
    readonly timeZone?: string;
    readonly observedUntil?: string;
    readonly lastMessage?: boolean;
    readonly steps?: Readonly<Record<string, number>>;
  };
  /**
   * One word for each record in order: what it tells, a skip as `-word`, a fault as `!CODE column`; several with a blank
   * between them.
   */
  readonly becomes: readonly string[];
}

export const EXAMPLES: readonly SourceExample[] = [
  INSTANTLY,
  SMARTLEAD,
  LEMLIST,
  OUTREACH,
  SALESLOFT,
  REPLY_IO,
  WOODPECKER,
  APOLLO,
  HUBSPOT,
  MAILSHAKE,
  MAILBOX,
  ...MESSAGE_FILES,
  ...CONTACT_FILES,
  ...RARER,
  ...RARER_IN_LISTS,
].flat();
