import { schema, type Schema } from '@outcomes/contracts';
import {
  MAX_EVENTS,
  OUTCOME_EVENT_SCHEMA,
  type EventDeleted,
  type FaultCode,
  type OutcomeEvent,
  type RecipientDeleted,
} from '@outcomes/ingestion';

const { choice, count, integer, list, nullable, record, reference, text, uuid } = schema;

/** What a fault may be; the type keeps the list complete. */
const FAULT_CODES: Readonly<Record<FaultCode, true>> = {
  REQUIRED: true,
  UNKNOWN_FIELD: true,
  INVALID_TYPE: true,
  NOT_ALLOWED: true,
  OUT_OF_RANGE: true,
  EMPTY: true,
  TOO_LONG: true,
  INVALID_CHARACTER: true,
  INVALID_UUID: true,
  INVALID_EMAIL: true,
  INVALID_TIME: true,
  TIME_TOO_EARLY: true,
  TIME_IN_FUTURE: true,
  OUTCOME_BEFORE_SENT: true,
  METADATA_TOO_LARGE: true,
  METADATA_TOO_DEEP: true,
  FORBIDDEN_KEY: true,
  INVALID_EVENT: true,
  INVALID_ROW: true,
};

const TIME =
  'YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS[.fraction]] with Z or an offset up to 14:00; from 1990 to 24 hours ahead.';

/** What the rules say in words; types, vocabularies and lengths come from the schema that they are checked by. */
const FIELDS: { readonly [Name in keyof Required<OutcomeEvent>]: Readonly<Record<string, unknown>> } = {
  channel: { description: 'How the message was sent.' },
  sequence_step: { description: 'Zero-based step of the sequence.' },
  recipient_id: { description: 'Your own identifier of the prospect.', examples: ['crm-00421'] },
  sent_at: { description: TIME, examples: ['2026-01-05T09:30:00+01:00'] },
  outcome_at: { description: `${TIME} Not before sent_at.`, examples: ['2026-01-08T14:00:00Z'] },
  outcome: { description: 'What came of the message.' },
  event_id: {
    description:
      'Makes sending again harmless. Without one it is derived from the event, so that the same event counts once.',
    format: 'uuid',
  },
  recipient_email: {
    description: 'RFC 5321 address, for reply detection. Stored as a hash and a domain, never as it is.',
  },
  recipient_position: { description: 'Job title; put into a position bucket.', examples: ['VP of Sales'] },
  thread_id: { description: 'Conversation; derived from tenant, recipient and campaign where left out.' },
  tone: { description: 'Tone of the message.' },
  word_count: { description: 'Words of the body.' },
  subject: { description: 'Subject line.' },
  body_excerpt: { description: 'Beginning of the message.' },
  industry: { description: 'Industry of the recipient.' },
  body: { description: 'The message, where you choose to send it. Never returned, logged or audited.' },
  metadata: {
    description:
      'Any JSON: at most 2,048 bytes when serialised, 8 levels deep. campaign_id or sequence_id names the campaign.',
    examples: [{ campaign_id: 'spring-2026' }],
  },
};

const OUTCOME_EVENT: Schema = {
  ...OUTCOME_EVENT_SCHEMA,
  description: 'What came of one outbound message.',
  properties: Object.fromEntries(
    Object.entries(OUTCOME_EVENT_SCHEMA.properties).map(([name, rules]) => [
      name,
      { ...rules, ...FIELDS[name as keyof OutcomeEvent] },
    ]),
  ),
  additionalProperties: false,
};

/** The answer to a POST; `place` says where in the request an event stands. */
function ingestAnswer(place: string, position: Schema): Schema {
  return record<Record<string, unknown>>(
    {
      accepted: count('Events that are stored now, those that were there before included.'),
      rejected: count('Events with a fault.'),
      duplicates: count('Accepted events that were there before; the first version stands.'),
      errors: list(
        record({
          [place]: position,
          field: text('Field at fault; empty where the event as a whole is.'),
          code: choice(Object.keys(FAULT_CODES), 'The code to branch on.'),
          message: text('What to mend.'),
        }),
        'One entry per field at fault.',
      ),
      results: list(
        record({
          [place]: position,
          event_id: nullable(uuid('Id of the event; null where it was rejected.')),
          status: choice(['accepted', 'duplicate', 'rejected'], 'What became of it.'),
        }),
        'Only with Prefer: return=representation.',
      ),
    },
    undefined,
    ['results'],
  );
}

export const INGEST_SCHEMAS = {
  OutcomeEvent: OUTCOME_EVENT,
  OutcomeEvents: {
    description: 'Up to 500 events, or a single one without the wrapper.',
    oneOf: [
      {
        ...record({ events: list(reference('OutcomeEvent'), 'Outcome events.', { maxItems: MAX_EVENTS }) }),
        additionalProperties: false,
      },
      reference('OutcomeEvent'),
    ],
  },
  EventsAnswer: ingestAnswer('index', integer('Position in events, from 0.', { minimum: 0 })),
  CsvAnswer: ingestAnswer('row', integer('Data row, from 1.', { minimum: 1 })),
  EventDeleted: record<EventDeleted>({
    deleted: integer('Always 1.', { const: 1 }),
    event_id: uuid('The event that is gone.'),
  }),
  RecipientDeleted: record<RecipientDeleted>({
    deleted: count('Events that are gone; 0 where there were none.'),
    recipient_id: text('The recipient.'),
    suppression: choice(
      ['kept', 'removed', 'none'],
      'What became of an opt-out or a bounce of the recipient: kept as hashes and dates, removed, or none that stood.',
    ),
  }),
} as const satisfies Readonly<Record<string, Schema>>;
