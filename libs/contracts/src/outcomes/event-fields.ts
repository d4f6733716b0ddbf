/** Fields of an outcome event, as the specification names them; in a CSV, columns. */
export const OUTCOME_EVENT_FIELDS = [
  'recipient_id',
  'channel',
  'sequence_step',
  'sent_at',
  'outcome',
  'outcome_at',
  'outcome_at_is',
  'fact',
  'message_ref',
  'thread_id',
  'recipient_email',
  'recipient_position',
  'industry',
  'subject',
  'tone',
  'word_count',
  'body_excerpt',
  'body',
  'event_id',
  'metadata',
] as const;
export type EventField = (typeof OUTCOME_EVENT_FIELDS)[number];
