import type { EventRecord } from '../identity/event-record';

/** Columns of outcome_events that come with an event: the Postgres type of each, and where it is in a record. */
const COLUMNS: readonly (readonly [name: string, type: string, read: (record: EventRecord) => unknown])[] = [
  ['event_id', 'uuid', (record) => record.eventId],
  ['touch_id', 'uuid', (record) => record.touchId],
  ['channel', 'smallint', (record) => record.channel],
  ['sequence_step', 'smallint', (record) => record.sequenceStep],
  ['outcome', 'smallint', (record) => record.outcome],
  ['tone', 'smallint', (record) => record.tone],
  ['sent_offset_minutes', 'smallint', (record) => record.sentOffsetMinutes],
  ['sent_has_time', 'boolean', (record) => record.sentHasTime],
  ['word_count', 'integer', (record) => record.wordCount],
  ['sent_at', 'timestamptz', (record) => new Date(record.sentAtMs).toISOString()],
  ['outcome_at', 'timestamptz', (record) => new Date(record.outcomeAtMs).toISOString()],
  ['recipient_id', 'text', (record) => record.recipientId],
  ['thread_id', 'text', (record) => record.threadId],
  ['campaign_id', 'text', (record) => record.campaignId],
  ['recipient_hash', 'text', (record) => record.recipientHash],
  ['email_domain', 'text', (record) => record.emailDomain],
  ['recipient_position', 'text', (record) => record.recipientPosition],
  ['subject', 'text', (record) => record.subject],
  ['body_excerpt', 'text', (record) => record.bodyExcerpt],
  ['body', 'text', (record) => record.body],
  ['industry', 'text', (record) => record.industry],
  ['metadata', 'jsonb', (record) => record.metadata],
];

const NAMES = COLUMNS.map(([name]) => name).join(', ');
/** $1 company, $2 time of receipt, $3 batch; the columns follow. */
const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 4}::${type}[]`).join(', ');

/**
 * Stores events and the batch that announces them to the worker, in one statement. An event that is there
 * already stays as it is and is not announced again; without a new event there is no batch. Rows go in by
 * event_id, so that two requests with the same events wait for one another instead of deadlocking.
 */
export const INSERT_EVENTS = `
  WITH stored AS (
    INSERT INTO outcome_events (company_id, ingested_at, ${NAMES})
    SELECT $1::uuid, $2::timestamptz, ${NAMES} FROM unnest(${ARRAYS}) AS incoming (${NAMES})
    ORDER BY event_id
    ON CONFLICT DO NOTHING
    RETURNING event_id
  ), batch AS (
    INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at)
    SELECT $1::uuid, $3::uuid, array_agg(event_id), $2::timestamptz FROM stored HAVING count(*) > 0
  )
  SELECT event_id FROM stored`;

/** The arrays of INSERT_EVENTS, one per column. */
export function columnsOf(records: readonly EventRecord[]): unknown[][] {
  return COLUMNS.map(([, , read]) => records.map(read));
}
