import { fault, type FieldFault } from './field-fault';
import { OUTCOME_EVENT_SCHEMA, type EventField, type OutcomeEvent } from './outcome-event';

/**
 * Adds what is missing beyond the fields that every event has. An outcome has both times, and its message_ref may stand
 * in for sent_at. A fact has the time at which it happened; its message is found by sent_at, by message_ref, or by
 * recipient and step. `sent` happened at sent_at.
 * @param event - with fields of any type: a wrong one is there, and has a fault of its own
 */
export function addMissingFields(event: OutcomeEvent, faults: FieldFault[]): void {
  const { fact } = event;
  if (fact === undefined) {
    if (event.outcome === undefined) faults.push(required('outcome', 'Send outcome, or fact in its place.'));
  } else if (event.outcome !== undefined) {
    const message = 'An event tells an outcome or a fact. Leave one of them out, or send two events.';
    faults.push(fault('outcome', 'FACT_AND_OUTCOME', message));
  }
  if (event.outcome_at === undefined && fact !== 'sent') {
    faults.push(
      required('outcome_at', 'This field is required. Only an event with fact "sent" may lack it.'),
    );
  }
  if (event.sent_at === undefined && lacksMessage(event)) {
    faults.push(required('sent_at', 'Send sent_at, or message_ref in its place.'));
  }
}

/** Of an event without sent_at. */
function lacksMessage({ fact, message_ref, outcome_at }: OutcomeEvent): boolean {
  if (message_ref === undefined) return fact === undefined || fact === 'sent';
  return fact === 'sent' && outcome_at === undefined;
}

const required = (field: EventField, message: string) => fault(field, 'REQUIRED', message);

/**
 * The first column without which no row of a CSV can be an event.
 * @param has - whether the header names a column
 */
export function missingColumn(has: (field: EventField) => boolean): EventField | undefined {
  const missing = OUTCOME_EVENT_SCHEMA.required.find((field) => !has(field));
  if (missing) return missing;
  if (!has('sent_at') && !has('message_ref') && !has('fact')) return 'sent_at';
  // Without outcome_at every row tells of a sending, and when that was.
  if (!has('outcome_at') && !(has('fact') && has('sent_at'))) return 'outcome_at';
  return has('outcome') || has('fact') ? undefined : 'outcome';
}
