import type { EventRecord } from './identity/event-record';
import type { EventFate } from './storage/event-store.service';
import type { OutcomeEvent } from './validation/outcome-event';
import type { EventVerdict } from './validation/event-rules';
import { fault, type FieldFault } from './validation/field-fault';

export interface Located {
  /** Position in `events`, from 0. */
  readonly index?: number;
  /** CSV data row, from 1. */
  readonly row?: number;
}

/** Where in its request an event stands, by its position from 0. */
export type Locate = (position: number) => Located;
export const byIndex: Locate = (position) => ({ index: position });
export const byRow: Locate = (position) => ({ row: position + 1 });

export interface IngestAnswer {
  /** Events that are stored now, those that were there before included. */
  readonly accepted: number;
  /** Events with a fault, and those whose event_id is that of another event. */
  readonly rejected: number;
  readonly duplicates: number;
  readonly errors: readonly (Located & FieldFault)[];
  /** Absent where there are none. */
  readonly taken_anyway?: readonly (Located & TakenAnyway)[];
  readonly results?: readonly (Located & {
    /** Null where the event could not be read. */
    readonly event_id: string | null;
    readonly status: 'accepted' | 'duplicate' | 'rejected';
  })[];
}

/** An opt-out or a bounce of a rejected event: it is stored as an event of its own, and holds. */
export interface TakenAnyway {
  readonly outcome: NonNullable<OutcomeEvent['outcome']>;
  /** By which it can be deleted. */
  readonly event_id: string;
}

const STATUSES = { new: 'accepted', duplicate: 'duplicate', conflict: 'rejected' } as const;

/**
 * What a request is answered, once its events are stored.
 * @param records - of each verdict, in order; undefined where it found faults
 * @param fates - of the records that there are, in order
 * @param representation - whether the answer lists what became of each event
 * @param takenAnyway - of rejected events, in order
 */
export function answerTo(
  verdicts: readonly EventVerdict[],
  records: readonly (EventRecord | undefined)[],
  fates: readonly EventFate[],
  locate: Locate,
  representation = false,
  takenAnyway: readonly (Located & TakenAnyway)[] = [],
): IngestAnswer {
  const errors: (Located & FieldFault)[] = [];
  const counts = { accepted: 0, duplicate: 0, rejected: 0 };
  let next = 0;
  const statuses = verdicts.map(({ faults = [], checked }, position) => {
    for (const found of faults) errors.push({ ...locate(position), ...found });
    const fate = checked && fates[next++];
    if (fate === 'conflict') errors.push({ ...locate(position), ...conflict(checked?.event.event_id) });
    const status = fate ? STATUSES[fate] : 'rejected';
    counts[status] += 1;
    return status;
  });
  return {
    accepted: counts.accepted + counts.duplicate,
    rejected: counts.rejected,
    duplicates: counts.duplicate,
    errors,
    ...(takenAnyway.length > 0 && { taken_anyway: takenAnyway }),
    ...(representation && {
      results: statuses.map((status, position) => ({
        ...locate(position),
        event_id: records[position]?.eventId ?? null,
        status,
      })),
    }),
  };
}

const CONFLICT_OF_GIVEN =
  'An event with this event_id is stored with other content, and the first version stands. Send what is new as an event of its own, with another event_id or none.';
const CONFLICT_OF_DERIVED =
  'An event with the same recipient, message, outcome or fact, and times is stored with other content, and the first version stands. Send what is new as a fact, or give this event an event_id of its own.';

function conflict(givenId: string | undefined): FieldFault {
  const message = givenId === undefined ? CONFLICT_OF_DERIVED : CONFLICT_OF_GIVEN;
  return fault('event_id', 'EVENT_ID_CONFLICT', message);
}
