import { DAY_MS, parseIsoTime, type ParsedTime } from '@outcomes/contracts';
import { parseEmailAddress, type EmailAddress } from '@outcomes/source-profiles';
import { fault, MAX_FAULTS_PER_EVENT, type FieldFault } from './field-fault';
import { shapeFaults } from './event-shape';
import { checkMetadata } from './metadata-faults';
import { withoutNulls } from './null-fields';
import { TEXT_FIELDS, type OutcomeEvent } from './outcome-event';
import { parseEvents } from './parse-events';
import { canWriteRefusedCharacter, hasRefusedCharacter, REFUSED_CHARACTER } from './refused-characters';
import { addMissingFields } from './required-fields';
import { isUuid } from './uuid-form';

/** An event that may be stored, with what its strings mean. */
export interface CheckedEvent {
  readonly event: OutcomeEvent;
  /** Undefined where the event names its message otherwise. */
  readonly sent: ParsedTime | undefined;
  /** When what it tells happened. */
  readonly happened: ParsedTime;
  readonly email: EmailAddress | undefined;
  /** Compact JSON. */
  readonly metadata: string | undefined;
}

export type EventVerdict =
  | { readonly checked: CheckedEvent; readonly faults?: undefined }
  | { readonly faults: readonly FieldFault[]; readonly checked?: undefined };

const EARLIEST_YEAR = 1990;
const MAX_AHEAD_MS = DAY_MS;
const ADDRESS_FORMS =
  'Send one address such as name@example.com (RFC 5321). It is in ASCII: its domain is xn--mller-kva.de for müller.de.';
const TIME_FORMS =
  'Send YYYY-MM-DD or YYYY-MM-DDTHH:MM[:SS] with Z or an offset such as +02:00 (at most 14:00). The date must exist.';

/**
 * The verdicts over the events of a JSON body, in order.
 * @param nowMs - time of receipt, milliseconds since 1970
 * @throws AppError INVALID_ENCODING, INVALID_JSON, INVALID_REQUEST or TOO_MANY_EVENTS
 */
export function checkBody(body: Buffer, nowMs: number): EventVerdict[] {
  return checkEvents(parseEvents(body), body, nowMs);
}

/**
 * The second half of `checkBody`, for who does the halves apart.
 * @param events - of `parseEvents`
 * @param body - what they were parsed from
 */
export function checkEvents(events: readonly unknown[], body: Buffer, nowMs: number): EventVerdict[] {
  const isClean = !canWriteRefusedCharacter(body);
  return events.map((event) => checkEvent(event, nowMs, isClean));
}

/**
 * The verdict over one event: everything that Postgres would refuse is refused here, field by field, so that
 * one bad event never fails the statement that carries its neighbours.
 * @param value - an element of `events`, whatever it is
 * @param nowMs - time of receipt, milliseconds since 1970
 * @param isClean - whether none of its texts can hold a refused character, so that nobody need look
 */
export function checkEvent(value: unknown, nowMs: number, isClean = false): EventVerdict {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [fault('', 'INVALID_EVENT', 'An outcome event is a JSON object.')] };
  }
  const { told, faults } = shapeOf(value);
  // Fields of the wrong type were reported above; the rules below look only at those of the right type.
  const event = told as OutcomeEvent;
  addMissingFields(event, faults);
  if (!isClean) addRefusedCharacters(event, faults);
  if (typeof event.event_id === 'string' && !isUuid(event.event_id)) {
    faults.push(
      fault('event_id', 'INVALID_UUID', 'Send a UUID such as 6e38e328-70eb-4657-9c91-f5b5b68b0ec4.'),
    );
  }
  const email = emailOf(event, faults);
  const sent = timeOf('sent_at', event.sent_at, nowMs, faults);
  const happened = timeOf('outcome_at', event.outcome_at, nowMs, faults);
  if (sent && happened && event.outcome_at_is !== 'not_before' && isBefore(happened, sent)) {
    faults.push(fault('outcome_at', 'OUTCOME_BEFORE_SENT', 'An outcome cannot come before sent_at.'));
  }
  const metadata = metadataOf(event, isClean, faults);
  if (faults.length > 0) return { faults: onePerField(faults) };
  // Without a fault one of the times was read at least. What tells of a sending happened when that was.
  const sentOrHappened = event.fact === 'sent' ? (sent ?? happened) : sent;
  return {
    checked: { event, sent: sentOrHappened, happened: happened ?? (sent as ParsedTime), email, metadata },
  };
}

/** No field of the right shape is null, so that nobody looks for nulls where there is no fault. */
function shapeOf(value: object): { readonly told: object; readonly faults: FieldFault[] } {
  const faults = shapeFaults(value);
  const told = faults.length === 0 ? value : withoutNulls(value);
  return told === value ? { told, faults } : { told, faults: shapeFaults(told) };
}

function addRefusedCharacters(event: OutcomeEvent, faults: FieldFault[]): void {
  for (const field of TEXT_FIELDS) {
    const text = event[field];
    if (typeof text === 'string' && hasRefusedCharacter(text)) {
      faults.push(fault(field, 'INVALID_CHARACTER', REFUSED_CHARACTER));
    }
  }
}

function emailOf(event: OutcomeEvent, faults: FieldFault[]): EmailAddress | undefined {
  if (typeof event.recipient_email !== 'string') return undefined;
  const email = parseEmailAddress(event.recipient_email);
  if (!email) {
    faults.push(fault('recipient_email', 'INVALID_EMAIL', ADDRESS_FORMS));
  }
  return email;
}

function timeOf(
  field: 'sent_at' | 'outcome_at',
  text: unknown,
  nowMs: number,
  faults: FieldFault[],
): ParsedTime | undefined {
  if (typeof text !== 'string') return undefined;
  const time = parseIsoTime(text);
  if (!time) faults.push(fault(field, 'INVALID_TIME', TIME_FORMS));
  else if (time.year < EARLIEST_YEAR) {
    faults.push(fault(field, 'TIME_TOO_EARLY', `Send a date from ${EARLIEST_YEAR} on.`));
  } else if (time.epochMs > nowMs + MAX_AHEAD_MS) {
    faults.push(fault(field, 'TIME_IN_FUTURE', 'Send a time that is at most 24 hours ahead.'));
  } else return time;
  return undefined;
}

/** A date alone means some time of that day, so it is compared as a day. */
function isBefore(happened: ParsedTime, sent: ParsedTime): boolean {
  return happened.hasTime && sent.hasTime
    ? happened.epochMs < sent.epochMs
    : happened.writtenDay < sent.writtenDay;
}

function metadataOf(event: OutcomeEvent, isClean: boolean, faults: FieldFault[]): string | undefined {
  const { metadata } = event;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined;
  const result = checkMetadata(metadata, isClean);
  if ('json' in result) return result.json;
  faults.push(result.fault);
  return undefined;
}

function onePerField(faults: readonly FieldFault[]): FieldFault[] {
  const first = new Map<string, FieldFault>();
  for (const found of faults) if (!first.has(found.field)) first.set(found.field, found);
  return [...first.values()].slice(0, MAX_FAULTS_PER_EVENT);
}
