import { CHANNELS, OUTCOMES, type Channel, type Outcome } from '@outcomes/contracts';
import type { ContactStanding } from '@outcomes/persistence';
import type { Day } from '../touches/day';
import { markOf } from './decision-place';

/** The first message to the contact after the decision, under whatever id of its address. */
export interface NextMessage {
  readonly channel: Channel;
  readonly step: number;
  readonly outcome: Outcome;
  readonly sentAt: Date;
  /** By the clock of the sender, as days of sending are counted everywhere. */
  readonly sentDay: Day;
  readonly outcomeAt: Date;
}

export interface DecisionRow {
  readonly decisionId: string;
  readonly decidedAt: Date;
  readonly runId: string;
  readonly contactId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  /** When the message was sent that the decision follows; null where it is gone. */
  readonly lastSentAt: Date | null;
  readonly engineVersion: string;
  readonly inputs: string;
  readonly result: string;
  /** SHA-256, hexadecimal, as are all of them. */
  readonly inputsSha256: string;
  readonly resultSha256: string;
  readonly modelSha256: string;
  readonly next: NextMessage | null;
  /** Whether a later message is known than the one that it follows, sent before the decision or after. */
  readonly isPast: boolean;
  /** Of a page that goes on behind it. */
  readonly mark: string;
  /** Of the contact, as of now. */
  readonly standing: ContactStanding;
}

/** Without the standing of its contact. */
export type FrozenRow = Omit<DecisionRow, 'standing'>;

/** As the columns of decision-sql give it. */
export type StoredRow = Omit<FrozenRow, 'next' | 'mark'> &
  Omit<NextMessage, 'channel' | 'outcome'> & {
    /** Of PLACE. */
    readonly place: string;
    readonly channel: number | null;
    readonly outcome: number;
  };

/** @param company - whose decision it is */
export function rowOf(
  company: { readonly companyId: string },
  { place, channel, step, outcome, sentAt, sentDay, outcomeAt, ...stored }: StoredRow,
): FrozenRow {
  const row = { ...stored, mark: markOf(company, place) };
  if (channel === null) return { ...row, next: null };
  return {
    ...row,
    next: {
      channel: CHANNELS[channel] ?? 'email',
      outcome: OUTCOMES[outcome] ?? 'no_response',
      ...{ step, sentAt, sentDay, outcomeAt },
    },
  };
}
