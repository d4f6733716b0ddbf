import { schema, type Schema } from '@outcomes/contracts';
import { MAX_EVENTS, type EventDeleted, type FaultCode, type RecipientDeleted } from '@outcomes/ingestion';
import { OUTCOME_EVENT } from './outcome-event.schema';

const { count, integer, known, list, nullable, recordOf, reference, text, uuid } = schema;

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
  FACT_AND_OUTCOME: true,
  EVENT_ID_CONFLICT: true,
  METADATA_TOO_LARGE: true,
  METADATA_TOO_DEEP: true,
  FORBIDDEN_KEY: true,
  INVALID_EVENT: true,
  INVALID_ROW: true,
};

/** What is wrong with a field; `place` says where in the request the event stands. */
export const faultAt = (place: string, position: Schema): Schema =>
  recordOf<Record<string, unknown>>({
    [place]: position,
    field: text('Field at fault; empty where the event as a whole is.'),
    code: known(Object.keys(FAULT_CODES), 'The code to branch on.'),
    message: text('How to fix it.'),
  });

/** The answer to a POST; `place` says where in the request an event stands. */
function ingestAnswer(place: string, position: Schema): Schema {
  return recordOf<Record<string, unknown>>(
    {
      accepted: count('Events that are stored now, those that were there before included.'),
      rejected: count('Events with a fault, and those whose event_id is that of another event.'),
      duplicates: count('Accepted events that were there before, with the same content.'),
      errors: list(faultAt(place, position), 'One entry per field at fault.'),
      taken_anyway: list(
        recordOf({
          [place]: position,
          outcome: known(['bounced', 'unsubscribed'], 'What holds.'),
          event_id: uuid(
            'Id of the event that it is stored as; with it the opt-out or bounce can be deleted.',
          ),
        }),
        'Opt-outs and bounces of rejected events, which hold all the same; absent where there are none.',
      ),
      results: list(
        recordOf({
          [place]: position,
          event_id: nullable(uuid('Id of the event, given or derived; null where the event has a fault.')),
          status: known(['accepted', 'duplicate', 'rejected'], 'What became of it.'),
        }),
        'Only with Prefer: return=representation.',
      ),
    },
    undefined,
    ['results', 'taken_anyway'],
  );
}

export const INGEST_SCHEMAS = {
  OutcomeEvent: OUTCOME_EVENT,
  OutcomeEvents: {
    description: 'Up to 500 events, or a single one without the wrapper.',
    oneOf: [
      {
        ...recordOf({ events: list(reference('OutcomeEvent'), 'Outcome events.', { maxItems: MAX_EVENTS }) }),
        additionalProperties: false,
      },
      reference('OutcomeEvent'),
    ],
  },
  EventsAnswer: ingestAnswer('index', integer('Position in events, from 0.', { minimum: 0 })),
  CsvAnswer: ingestAnswer('row', integer('Data row, from 1.', { minimum: 1 })),
  EventDeleted: recordOf<EventDeleted>({
    deleted: integer('Always 1.', { const: 1 }),
    event_id: uuid('The event that is gone.'),
  }),
  RecipientDeleted: recordOf<RecipientDeleted>({
    deleted: count('Events that are gone; 0 where there were none.'),
    recipient_id: text('The recipient.'),
    suppression: known(
      ['kept', 'removed', 'none'],
      'What became of an opt-out or a bounce of the recipient: kept as hashes and dates, removed, or none that stood.',
    ),
  }),
} as const satisfies Readonly<Record<string, Schema>>;
