import {
  CHANNELS,
  FACTS,
  MAX_SEQUENCE_STEP,
  OUTCOMES,
  TIME_MEANINGS,
  TONES,
  type Channel,
  type EventField,
  type Fact,
  type Outcome,
  type TimeMeaning,
  type Tone,
} from '@outcomes/contracts';

/**
 * An event in wire form, as the specification names its fields: an outcome of a message, or another fact about it.
 * Which of the times and of outcome and fact have to be there, event-rules.ts says.
 */
export interface OutcomeEvent {
  readonly channel: Channel;
  readonly sequence_step: number;
  readonly recipient_id: string;
  readonly sent_at?: string;
  readonly outcome_at?: string;
  readonly outcome?: Outcome;
  readonly fact?: Fact;
  readonly outcome_at_is?: TimeMeaning;
  readonly message_ref?: string;
  readonly event_id?: string;
  readonly recipient_email?: string;
  readonly recipient_position?: string;
  readonly thread_id?: string;
  readonly tone?: Tone;
  readonly word_count?: number;
  readonly subject?: string;
  readonly body_excerpt?: string;
  readonly industry?: string;
  readonly body?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export type { EventField };

/** Postgres' integer. */
const MAX_INTEGER = 2_147_483_647;

/** Largest metadata, in UTF-8 bytes of its compact JSON. */
export const MAX_METADATA_BYTES = 2_048;
/** Deepest metadata; the object itself is level 1. */
export const MAX_METADATA_DEPTH = 8;

/**
 * JSON Schema of an outcome event without nulls: types, vocabularies and lengths (in code points). What a schema cannot
 * say, or says at a price, stands in event-rules.ts: the calendar, and which fields another one makes optional. Lengths that the specification leaves open are bounded so that
 * an index entry of Postgres always fits (2,700 bytes) and a request of 500 events stays within 8 MiB.
 */
export const OUTCOME_EVENT_SCHEMA = {
  type: 'object',
  required: ['channel', 'sequence_step', 'recipient_id'],
  properties: {
    channel: { type: 'string', enum: CHANNELS },
    sequence_step: { type: 'integer', minimum: 0, maximum: MAX_SEQUENCE_STEP },
    recipient_id: { type: 'string', minLength: 1, maxLength: 256 },
    sent_at: { type: 'string', maxLength: 40 },
    outcome_at: { type: 'string', maxLength: 40 },
    outcome: { type: 'string', enum: OUTCOMES },
    fact: { type: 'string', enum: FACTS },
    outcome_at_is: { type: 'string', enum: TIME_MEANINGS },
    message_ref: { type: 'string', minLength: 1, maxLength: 256 },
    event_id: { type: 'string', maxLength: 36 },
    recipient_email: { type: 'string', maxLength: 320 },
    recipient_position: { type: 'string', maxLength: 256 },
    thread_id: { type: 'string', minLength: 1, maxLength: 256 },
    tone: { type: 'string', enum: TONES },
    word_count: { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
    subject: { type: 'string', maxLength: 1_000 },
    body_excerpt: { type: 'string', maxLength: 2_000 },
    industry: { type: 'string', maxLength: 256 },
    body: { type: 'string', maxLength: 10_000 },
    metadata: { type: 'object' },
  },
} as const satisfies Readonly<Record<'type' | 'required', unknown>> & {
  readonly properties: Readonly<Record<EventField, object>>;
};

export const EVENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(OUTCOME_EVENT_SCHEMA.properties));
/** Fields that hold free text, and so can hold a character that Postgres refuses. */
export const TEXT_FIELDS = [
  'recipient_id',
  'message_ref',
  'recipient_position',
  'thread_id',
  'subject',
  'body_excerpt',
  'industry',
  'body',
] as const satisfies readonly EventField[];
