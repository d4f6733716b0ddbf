import {
  booleans,
  days,
  integers,
  reals,
  smallints,
  texts,
  timestamps,
  uuids,
  type BinaryColumn,
} from '../storage/binary-column';
import type { Touch } from './touch';

/** Columns of touches beside company_id, and where each is in a touch. */
const COLUMNS: readonly BinaryColumn<Touch>[] = [
  uuids('touch_id', (touch) => touch.touchId),
  smallints('channel', (touch) => touch.channel),
  smallints('sequence_step', (touch) => touch.sequenceStep),
  smallints('position', (touch) => touch.position),
  reals('position_confidence', (touch) => touch.positionConfidence),
  smallints('outcome', (touch) => touch.outcome),
  booleans('opened', (touch) => touch.opened),
  booleans('meeting_booked', (touch) => touch.meetingBooked),
  booleans('streamed', (touch) => touch.streamed),
  smallints('sent_hour', (touch) => touch.sentHour),
  days('sent_day', (touch) => touch.sentDay),
  timestamps('sent_at', (touch) => touch.sentAtMs),
  timestamps('outcome_at', (touch) => touch.outcomeAtMs),
  // An array within an array of arrays would have to be rectangular, so it travels as text.
  texts('levels', (touch) => `{${touch.levels.join(',')}}`),
  texts('recipient_id', (touch) => touch.recipientId),
  texts('thread_id', (touch) => touch.threadId),
  texts('campaign_id', (touch) => touch.campaignId),
  texts('recipient_hash', (touch) => touch.recipientHash),
  texts('recipient_position', (touch) => touch.recipientPosition),
  reals('propensity', (touch) => touch.propensity),
  texts('variant_id', (touch) => touch.variantId),
  texts('industry', (touch) => touch.industry),
  booleans('outcome_is_exact', (touch) => touch.outcomeIsExact),
  timestamps('replied_at', (touch) => touch.repliedAtMs),
  timestamps('unsubscribed_at', (touch) => touch.unsubscribedAtMs),
  timestamps('bounced_at', (touch) => touch.bouncedAtMs),
  timestamps('silent_at', (touch) => touch.silentAtMs),
  timestamps('opened_at', (touch) => touch.openedAtMs),
  timestamps('clicked_at', (touch) => touch.clickedAtMs),
  timestamps('auto_replied_at', (touch) => touch.autoRepliedAtMs),
  timestamps('meeting_booked_at', (touch) => touch.meetingBookedAtMs),
  integers('text_id', (touch) => touch.textId),
  integers('subject_id', (touch) => touch.subjectId),
];

/** The last column is the same for all touches of a fold. */
const countedIn = (generation: number) => integers<Touch>('counted_in', () => generation);

const ALL_COLUMNS = [...COLUMNS, countedIn(0)];
const NAMES = ALL_COLUMNS.map(({ name }) => name);
const SELECTED = NAMES.map((name) => (name === 'levels' ? 'levels::smallint[]' : name));
const ARRAYS = ALL_COLUMNS.map(({ type }, index) => `$${index + 2}::${type}[]`);
const UPDATES = NAMES.filter((name) => name !== 'touch_id').map((name) => `${name} = excluded.${name}`);

const INSERT = `
  INSERT INTO touches (company_id, ${NAMES.join(', ')})
  SELECT $1, ${SELECTED.join(', ')} FROM unnest(${ARRAYS.join(', ')}) AS given (${NAMES.join(', ')})`;

/** $1 company; the columns follow. */
export const INSERT_TOUCHES = `${INSERT} /*citus RETURNING 1*/`;

/** The same for touches that are stored already: to look for each of them costs as much as an index. */
export const REPLACE_TOUCHES = `${INSERT}
  ON CONFLICT (company_id, touch_id) DO UPDATE SET ${UPDATES.join(', ')}`;

/**
 * The arrays of these statements, one per column.
 * @param generation - of the counts by campaign that the touches are in
 */
export function touchColumns(touches: readonly Touch[], generation: number): Buffer[] {
  return [...COLUMNS, countedIn(generation)].map((column) => column.encode(touches));
}
