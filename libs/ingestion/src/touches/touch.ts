/** One event as folding reads it. Times are milliseconds since 1970. */
export interface StoredEvent {
  readonly eventId: string;
  readonly touchId: string;
  /** Index into CHANNELS. */
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into OUTCOMES. */
  readonly outcome: number;
  /** Index into TONES. */
  readonly tone: number | null;
  readonly sentOffsetMinutes: number | null;
  readonly sentHasTime: boolean;
  readonly wordCount: number | null;
  readonly sentAtMs: number;
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
  readonly opened: boolean;
  readonly meetingBooked: boolean;
  /** From metadata, where callers send them. */
  readonly firstName: string | null;
  readonly company: string | null;
  /** From metadata: probability of the variant that the message got, and the variant's name. */
  readonly propensity: number | null;
  readonly variantId: string | null;
  /** In lower case, without blanks around it, at most 60 characters. */
  readonly industry: string | null;
}

/** One message to one recipient with its strongest outcome: the unit that statistics count. */
export interface Touch {
  readonly touchId: string;
  readonly channel: number;
  readonly sequenceStep: number;
  /** Index into POSITIONS. */
  readonly position: number;
  readonly positionConfidence: number;
  readonly outcome: number;
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
}

/** Whether the sender says that the message was assigned at random: by its probability, or by naming its variant. */
export function isRandomized({ propensity, variantId }: Pick<Touch, 'propensity' | 'variantId'>): boolean {
  return propensity !== null || variantId !== null;
}
