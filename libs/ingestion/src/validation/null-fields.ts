import { EVENT_FIELDS } from './outcome-event';

/**
 * The event without the fields that are null, which is what typed clients send for a field that is absent. Unknown
 * fields stay, null or not: a misspelt name is a fault.
 */
export function withoutNulls(event: object): object {
  for (const name in event) if (isAbsent(name, event[name as keyof object])) return copyWithoutNulls(event);
  return event;
}

/** Object.fromEntries defines a field of the name `__proto__` as one of its own, where an assignment would not. */
function copyWithoutNulls(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([name, value]) => !isAbsent(name, value)));
}

const isAbsent = (name: string, value: unknown) => value === null && EVENT_FIELDS.has(name);

/** Whether any value of a JSON document can be null, so that somebody has to look. Most bodies have none. */
export function canHoldNull(json: Buffer): boolean {
  return json.includes('null');
}
