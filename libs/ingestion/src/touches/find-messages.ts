import { CHANNELS } from '@outcomes/contracts';
import { touchIdOf } from '../identity/event-record';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import { byTime } from './fold-touch';
import { isSentBy } from './outcome-time';
import type { StoredEvent } from './touch';

/** What of an event tells which message it is about. Times are milliseconds since 1970. */
export interface PlacedEvent extends Pick<
  StoredEvent,
  | 'eventId'
  | 'recipientId'
  | 'channel'
  | 'sequenceStep'
  | 'threadId'
  | 'campaignId'
  | 'sentAtMs'
  | 'sentHasTime'
  | 'sentOffsetMinutes'
  | 'outcomeAtMs'
  | 'outcomeAtIs'
  | 'messageRef'
> {
  /** Where the event is now; null while it waits for its message. */
  readonly touchId: string | null;
}

/** Where events belong, by event_id: a touch_id, or null where the message is not known yet. */
export type Places = ReadonlyMap<string, string | null>;

/** The message that an event names by itself; it says when that was sent. */
export function ownTouchId(
  event: Pick<PlacedEvent, 'recipientId' | 'channel' | 'threadId' | 'sequenceStep'>,
  sentAtMs: number,
  uuids: NameBasedUuids,
): string {
  const channel = CHANNELS[event.channel] ?? 'email';
  return touchIdOf(uuids, event.recipientId, channel, event.threadId, event.sequenceStep, sentAtMs);
}

/** An event that says when its message was sent. */
type NamingEvent = PlacedEvent & { readonly sentAtMs: number };

const saysWhen = (event: PlacedEvent): event is NamingEvent => event.sentAtMs !== null;

/**
 * Of each reference to a message of a sending tool the event that names the message for all: the first of those that say
 * when it was sent, whatever a second report of it says. The result depends on the set alone.
 * @param events - every event of some references
 */
export function namingByReference(events: readonly PlacedEvent[]): ReadonlyMap<string, NamingEvent> {
  const naming = new Map<string, NamingEvent>();
  for (const event of events) {
    if (event.messageRef === null || !saysWhen(event)) continue;
    const first = naming.get(event.messageRef);
    if (first === undefined || byTime(event, first) < 0) naming.set(event.messageRef, event);
  }
  return naming;
}

/** Places events that carry a reference. @param events - every event of some references */
export function placeByReference(events: readonly PlacedEvent[], uuids: NameBasedUuids): Places {
  const touchIds = new Map(
    [...namingByReference(events)].map(([ref, naming]) => [ref, ownTouchId(naming, naming.sentAtMs, uuids)]),
  );
  return new Map(events.map(({ eventId, messageRef }) => [eventId, touchIds.get(messageRef ?? '') ?? null]));
}

/**
 * Places events that say neither when their message was sent nor which it is: each belongs to the newest message to its
 * recipient on its channel and step, in its campaign or thread, that was sent by the time of the event.
 * @param waiting - every such event of some recipients
 * @param sent - every event of these recipients that says when its message was sent
 * @param naming - of the references that those carry the events that name the message
 */
export function placeByRecipient(
  waiting: readonly PlacedEvent[],
  sent: readonly PlacedEvent[],
  naming: ReadonlyMap<string, NamingEvent>,
): Places {
  // A second report of a sending tells of the message that the first one named.
  const namingOf = (event: NamingEvent) =>
    (event.messageRef === null ? undefined : naming.get(event.messageRef)) ?? event;
  const strands = Map.groupBy(sent.filter(saysWhen), strandOf);
  return new Map(
    waiting.map((event) => {
      const candidates = (strands.get(strandOf(event)) ?? []).filter(
        (other) => isOfOneConversation(event, other) && isSentBy(namingOf(other), event),
      );
      const newest = candidates.reduce<NamingEvent | undefined>((best, other) => {
        if (best === undefined) return other;
        const seconds = secondOf(namingOf(best).sentAtMs) - secondOf(namingOf(other).sentAtMs);
        // Of two messages in one second the ids decide.
        return seconds > 0 || (seconds === 0 && (best.touchId ?? '') >= (other.touchId ?? '')) ? best : other;
      }, undefined);
      return [event.eventId, newest?.touchId ?? null];
    }),
  );
}

function strandOf({ recipientId, channel, sequenceStep }: PlacedEvent): string {
  return `${channel} ${sequenceStep} ${recipientId}`;
}

function isOfOneConversation(a: PlacedEvent, b: PlacedEvent): boolean {
  return a.threadId === b.threadId || (a.campaignId !== null && a.campaignId === b.campaignId);
}

function secondOf(epochMs: number): number {
  return Math.floor(epochMs / 1_000);
}
