import type { Touch } from './touch';

const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());

/** Columns of touches beside company_id: the Postgres type of each, and where it is in a touch. */
const COLUMNS: readonly (readonly [name: string, type: string, read: (touch: Touch) => unknown])[] = [
  ['touch_id', 'uuid', (touch) => touch.touchId],
  ['channel', 'smallint', (touch) => touch.channel],
  ['sequence_step', 'smallint', (touch) => touch.sequenceStep],
  ['position', 'smallint', (touch) => touch.position],
  ['position_confidence', 'real', (touch) => touch.positionConfidence],
  ['outcome', 'smallint', (touch) => touch.outcome],
  ['opened', 'boolean', (touch) => touch.opened],
  ['meeting_booked', 'boolean', (touch) => touch.meetingBooked],
  ['streamed', 'boolean', (touch) => touch.streamed],
  ['sent_hour', 'smallint', (touch) => touch.sentHour],
  ['sent_day', 'date', (touch) => touch.sentDay],
  ['sent_at', 'timestamptz', (touch) => time(touch.sentAtMs)],
  ['outcome_at', 'timestamptz', (touch) => time(touch.outcomeAtMs)],
  // An array within an array of arrays would have to be rectangular, so it travels as text.
  ['levels', 'text', (touch) => `{${touch.levels.join(',')}}`],
  ['recipient_id', 'text', (touch) => touch.recipientId],
  ['thread_id', 'text', (touch) => touch.threadId],
  ['campaign_id', 'text', (touch) => touch.campaignId],
  ['recipient_hash', 'text', (touch) => touch.recipientHash],
  ['recipient_position', 'text', (touch) => touch.recipientPosition],
  ['propensity', 'real', (touch) => touch.propensity],
  ['variant_id', 'text', (touch) => touch.variantId],
  ['industry', 'text', (touch) => touch.industry],
  ['outcome_is_exact', 'boolean', (touch) => touch.outcomeIsExact],
  ['replied_at', 'timestamptz', (touch) => time(touch.repliedAtMs)],
  ['unsubscribed_at', 'timestamptz', (touch) => time(touch.unsubscribedAtMs)],
  ['bounced_at', 'timestamptz', (touch) => time(touch.bouncedAtMs)],
  ['silent_at', 'timestamptz', (touch) => time(touch.silentAtMs)],
  ['opened_at', 'timestamptz', (touch) => time(touch.openedAtMs)],
  ['clicked_at', 'timestamptz', (touch) => time(touch.clickedAtMs)],
  ['auto_replied_at', 'timestamptz', (touch) => time(touch.autoRepliedAtMs)],
  ['meeting_booked_at', 'timestamptz', (touch) => time(touch.meetingBookedAtMs)],
];

const NAMES = COLUMNS.map(([name]) => name);
const SELECTED = NAMES.map((name) => (name === 'levels' ? 'levels::smallint[]' : name));
const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 2}::${type}[]`);
const UPDATES = NAMES.filter((name) => name !== 'touch_id').map((name) => `${name} = excluded.${name}`);

/** $1 company; the columns follow. */
export const UPSERT_TOUCHES = `
  INSERT INTO touches (company_id, ${NAMES.join(', ')})
  SELECT $1, ${SELECTED.join(', ')} FROM unnest(${ARRAYS.join(', ')}) AS given (${NAMES.join(', ')})
  ON CONFLICT (company_id, touch_id) DO UPDATE SET ${UPDATES.join(', ')}`;

/** The arrays of UPSERT_TOUCHES, one per column. */
export function touchColumns(touches: readonly Touch[]): unknown[][] {
  return COLUMNS.map(([, , read]) => touches.map(read));
}
