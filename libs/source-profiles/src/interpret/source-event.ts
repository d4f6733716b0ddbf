import type { FactMapping, TimeMeaning, Told } from '../profile';

/** An event in the wire form of ingest-api, as far as profiles fill it. */
export interface SourceEvent {
  readonly channel: string;
  readonly sequence_step: number;
  readonly recipient_id: string;
  readonly recipient_email?: string;
  readonly recipient_position?: string;
  readonly industry?: string;
  readonly subject?: string;
  readonly sent_at?: string;
  readonly outcome_at?: string;
  readonly outcome_at_is?: TimeMeaning;
  readonly outcome?: string;
  readonly fact?: string;
  readonly message_ref?: string;
  readonly thread_id?: string;
  readonly metadata?: Readonly<Record<string, string | boolean>>;
}

const OUTCOMES: ReadonlySet<Told> = new Set(['responded', 'bounced', 'unsubscribed']);

/** What it tells goes to `outcome` or to `fact`. */
export function toldIn(tells: Told): { readonly outcome: Told } | { readonly fact: Told } {
  return OUTCOMES.has(tells) ? { outcome: tells } : { fact: tells };
}

const METADATA: { readonly [As in NonNullable<FactMapping['as']>]: NonNullable<SourceEvent['metadata']> } = {
  complaint: { complaint: true },
  hard: { bounce: 'hard' },
};

/** How metadata say what is known of an opt-out or a bounce beyond that there was one. */
export function metadataOf(as: NonNullable<FactMapping['as']>): NonNullable<SourceEvent['metadata']> {
  return METADATA[as];
}

/** What sticks to a recipient at once, also where no message of it is known. */
export function sticks(tells: Told): boolean {
  return tells === 'unsubscribed' || tells === 'bounced';
}
