import { digestOf } from './recipient-id';
import type { SourceEvent } from './source-event';

export interface NamedEvent extends SourceEvent {
  readonly event_id: string;
}

/**
 * Names an event of a file by all that it says: the same export says the same again, whoever imports it, and a later one of
 * the same mails, in which a subject was edited, adds what is new to them instead of contradicting itself. Version 8 of
 * RFC 9562.
 */
export function namedEvent(event: SourceEvent): NamedEvent {
  const hex = digestOf(JSON.stringify(event));
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { event_id: id, ...event };
}
