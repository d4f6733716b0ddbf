import type { EventRecord } from '../identity/event-record';
import { booleans, digests, integers, jsonTexts, smallints, texts, timestamps, uuids } from './binary-column';
import type { BinaryColumn } from './binary-column';

/** Columns of outcome_events that come with an event, and where each is in a record. */
const COLUMNS: readonly BinaryColumn<EventRecord>[] = [
  uuids('event_id', (record) => record.eventId),
  uuids('touch_id', (record) => record.touchId),
  smallints('channel', (record) => record.channel),
  smallints('sequence_step', (record) => record.sequenceStep),
  smallints('outcome', (record) => record.outcome),
  smallints('outcome_at_is', (record) => record.outcomeAtIs),
  smallints('tone', (record) => record.tone),
  smallints('sent_offset_minutes', (record) => record.sentOffsetMinutes),
  booleans('sent_has_time', (record) => record.sentHasTime),
  integers('word_count', (record) => record.wordCount),
  timestamps('sent_at', (record) => record.sentAtMs),
  timestamps('outcome_at', (record) => record.outcomeAtMs),
  texts('recipient_id', (record) => record.recipientId),
  texts('thread_id', (record) => record.threadId),
  digests('message_ref', (record) => record.messageRef),
  texts('campaign_id', (record) => record.campaignId),
  texts('recipient_hash', (record) => record.recipientHash),
  texts('email_domain', (record) => record.emailDomain),
  texts('recipient_position', (record) => record.recipientPosition),
  texts('subject', (record) => record.subject),
  texts('body_excerpt', (record) => record.bodyExcerpt),
  texts('body', (record) => record.body),
  texts('industry', (record) => record.industry),
  jsonTexts('metadata', (record) => record.metadata),
  texts('source_id', (record) => record.sourceId),
  texts('id_address_hash', (record) => record.idAddressHash),
];

const NAMES = COLUMNS.map(({ name }) => name).join(', ');
/** $1 company, $2 time of receipt, $3 batch, $4 end of retention; the columns follow, event_id first. */
const ARRAYS = COLUMNS.map(({ type }, index) => `$${index + 5}::${type}[]`).join(', ');

/** Says where an event was put, how it came, and what follows from its recipient_id: nothing that the event says. */
const BESIDE = ['touch_id', 'source_id', 'id_address_hash'];
const COMPARED = COLUMNS.filter(({ name }) => !BESIDE.includes(name));
const COMPARED_NAMES = COMPARED.map(({ name }) => name).join(', ');
/**
 * What of a column is compared, where that is not all. Versions before kept of a date alone that it is exact (0), not that it
 * is a date (3), and no offset but that of a sending with a time. Z and +00:00 name the same moment: of a clock Z says
 * nothing, but nothing else either.
 */
const COMPARED_AS: Readonly<Record<string, (row: string) => string>> = {
  outcome_at_is: (row) => `${row}.outcome_at_is % 3`,
  sent_offset_minutes: (row) =>
    `CASE WHEN ${row}.sent_has_time THEN coalesce(${row}.sent_offset_minutes, 0) END`,
};
const of = (row: string) =>
  COMPARED.map(({ name }) => COMPARED_AS[name]?.(row) ?? `${row}.${name}`).join(', ');

/**
 * Whether the given events differ from the stored ones of the same id, by their places from 1. Values are compared, not
 * how they were written: the order of keys in metadata says nothing. $1 company; the columns follow.
 */
export const COMPARE_EVENTS = `
  SELECT incoming.place::integer AS place, (${of('stored')}) IS DISTINCT FROM (${of('incoming')}) AS differs
  FROM unnest(${COMPARED.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ')})
    WITH ORDINALITY AS incoming (${COMPARED_NAMES}, place)
  JOIN outcome_events AS stored ON stored.company_id = $1::uuid AND stored.event_id = incoming.event_id`;

/** SQL state in which INSERT_EVENTS breaks itself off. */
export const REPEATS_EXPIRED = 'OE001';

/**
 * Stores events and the batch that announces them to the worker, in one statement that is a transaction by
 * itself: it says first for which company it writes, and takes the company of every row from there, so that
 * row-level security holds the rows against it. An event that is there already stays as it is and is not
 * announced again; without a new event there is no batch. Rows go in by event_id, so that two requests with the
 * same events wait for one another instead of deadlocking.
 *
 * Where an event repeats one that has expired but is still in the table, the statement breaks itself off and nothing
 * is stored (REPEATS_EXPIRED): the old one has to go first. That is looked into only where not all events are new.
 *
 * RETURNING and the column of EXISTS are for Citus, which would COPY the batch, against row-level security, and cannot
 * carry rows without a column.
 *
 * One row comes back: how many events are new, and which, unless all of them are.
 */
export const INSERT_EVENTS = `
  WITH stored AS (
    INSERT INTO outcome_events (company_id, ingested_at, ${NAMES})
    SELECT tenant.company_id::uuid, $2::timestamptz, ${NAMES}
    FROM set_config('app.company_id', $1, true) AS tenant (company_id),
      unnest(${ARRAYS}) AS incoming (${NAMES})
    ORDER BY event_id
    ON CONFLICT DO NOTHING
    RETURNING event_id
  ), new_events AS (
    SELECT array_agg(event_id) AS event_ids, count(*)::integer AS count FROM stored
  ), batch AS (
    INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at)
    SELECT $1::uuid, $3::uuid, event_ids, $2::timestamptz FROM new_events WHERE count > 0
    RETURNING 1
  )
  SELECT count, CASE WHEN count < cardinality($5::uuid[]) THEN event_ids END AS event_ids,
    CASE WHEN count < cardinality($5::uuid[]) THEN
      CASE WHEN EXISTS (
        SELECT 1 FROM outcome_events
        WHERE company_id = $1::uuid AND event_id = ANY ($5::uuid[]) AND ingested_at <= $4::timestamptz
      ) THEN refuse_expired() END
    END
  FROM new_events`;

/** The arrays of INSERT_EVENTS, one per column. */
export function columnsOf(records: readonly EventRecord[]): Buffer[] {
  return COLUMNS.map((column) => column.encode(records));
}

/** The arrays of COMPARE_EVENTS. */
export function comparedColumnsOf(records: readonly EventRecord[]): Buffer[] {
  return COMPARED.map((column) => column.encode(records));
}
