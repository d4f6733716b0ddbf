import { EVENT_FIELDS, type EventField } from './outcome-event';

/**
 * The event with undefined in place of null, which is what typed clients send for a field that is absent. Unknown fields
 * stay as they are: a misspelt name is a fault.
 * @returns the event itself where it has no such null
 */
export function withoutNulls(event: object): object {
  let copy: { [Field in EventField]?: unknown } | undefined;
  for (const name in event) {
    if (event[name as keyof object] !== null || !EVENT_FIELDS.has(name)) continue;
    // To delete them would cost more than all the rest of the validation.
    copy ??= { ...event };
    copy[name as EventField] = undefined;
  }
  return copy ?? event;
}
