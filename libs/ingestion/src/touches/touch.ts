/** One event as folding reads it. Times are milliseconds since 1970. */
export interface StoredEvent {
  readonly eventId: string;
  /** The message that the event is about. */
  readonly touchId: string;
  /** Index into CHANNELS. */
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into EVENT_KINDS. */
  readonly kind: number;
  /** Index into STORED_MEANINGS: how outcomeAtMs is meant. */
  readonly outcomeAtIs: number;
  /** Index into TONES. */
  readonly tone: number | null;
  /** Of sent_at where that has a time, or else of outcome_at; null for Z, which says nothing of a clock. */
  readonly sentOffsetMinutes: number | null;
  readonly sentHasTime: boolean;
  readonly wordCount: number | null;
  /** Null where the event found its message by other means. */
  readonly sentAtMs: number | null;
  readonly outcomeAtMs: number;
  readonly ingestedAtMs: number;
  readonly recipientId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  readonly recipientHash: string | null;
  readonly emailDomain: string | null;
  readonly recipientPosition: string | null;
  readonly subject: string | null;
  readonly bodyExcerpt: string | null;
  readonly body: string | null;
  /** From metadata, where callers send them. */
  readonly opened: boolean;
  readonly meetingBooked: boolean;
  readonly firstName: string | null;
  readonly company: string | null;
  /** From metadata: probability of the variant that the message got, and the variant's name. */
  readonly propensity: number | null;
  readonly variantId: string | null;
  /** In lower case, without blanks around it, at most 60 characters. */
  readonly industry: string | null;
  /** Names the message in the tool that sent it: 32 hexadecimal digits of a hash. */
  readonly messageRef: string | null;
}

/** What became known of a message, each with its earliest time in milliseconds since 1970; null where it did not happen. */
export interface MessageFacts {
  readonly repliedAtMs: number | null;
  readonly unsubscribedAtMs: number | null;
  readonly bouncedAtMs: number | null;
  /** Of the first report that nobody had answered. */
  readonly silentAtMs: number | null;
  readonly openedAtMs: number | null;
  readonly clickedAtMs: number | null;
  readonly autoRepliedAtMs: number | null;
  readonly meetingBookedAtMs: number | null;
}

/** One message to one recipient, with the facts about it: the unit that statistics count. */
export interface Touch extends MessageFacts {
  readonly touchId: string;
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into POSITIONS. */
  readonly position: number;
  readonly positionConfidence: number;
  /** Index into OUTCOMES: unsubscribed before responded before bounced before no_response, so that counts add up. */
  readonly outcome: number;
  /** Whether outcomeAtMs is the moment itself, and no bound of it. */
  readonly outcomeIsExact: boolean;
  readonly opened: boolean;
  readonly meetingBooked: boolean;
  /** Whether an outcome came in as it happened, rather than with imported history. */
  readonly streamed: boolean;
  /** 0 to 23 by the clock of the sender; null where only a date is known. */
  readonly sentHour: number | null;
  /** YYYY-MM-DD by the clock of the sender. */
  readonly sentDay: string;
  readonly sentAtMs: number;
  readonly outcomeAtMs: number;
  /** Indexes into LEVELS, ascending. */
  readonly levels: readonly number[];
  readonly recipientId: string;
  readonly threadId: string;
  readonly campaignId: string | null;
  readonly recipientHash: string | null;
  readonly recipientPosition: string | null;
  /** Probability with which the message got its variant, between 0 and 1. */
  readonly propensity: number | null;
  readonly variantId: string | null;
  /** By which recipients are grouped; of several that were sent, the last in order of letters. */
  readonly industry: string | null;
  /** Names what the message says (text-id.ts): signed 32 bits. */
  readonly textId: number;
  /** The same of its subject; null where it was stored before subjects were told apart. */
  readonly subjectId: number | null;
}

/** A touch as it is stored. */
export interface StoredTouch extends Touch {
  /** The generation of the counts by campaign that it is in; null where it is in none. */
  readonly countedIn: number | null;
}

/**
 * Whether the sender says that the message was assigned at random, which is by its probability. The name of a variant
 * says what was sent, not how it was chosen.
 */
export function isRandomized({ propensity }: Pick<Touch, 'propensity'>): boolean {
  return propensity !== null;
}

/** Whether two states of a touch say the same. */
export function isSameTouch(a: Touch, b: Touch): boolean {
  return (Object.keys(a) as (keyof Touch)[]).every((part) =>
    part === 'levels' ? a.levels.join() === b.levels.join() : a[part] === b[part],
  );
}
