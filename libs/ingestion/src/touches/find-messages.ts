import { CHANNELS } from '@outcomes/contracts';
import { touchIdOf } from '../identity/event-record';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import { byTime } from './fold-touch';
import { latestMs } from './outcome-time';
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

/**
 * Places events that carry a reference to a message of a sending tool: the first of them that says when the message was
 * sent names it for all, whatever a second report of it says. The result depends on the set alone.
 * @param events - every event of some references
 */
export function placeByReference(events: readonly PlacedEvent[], uuids: NameBasedUuids): Places {
  const places = new Map<string, string | null>();
  for (const ofReference of Map.groupBy(events, (event) => event.messageRef).values()) {
    const naming = ofReference.reduce((a, b) => (byTime(a, b) <= 0 ? a : b));
    const touchId = naming.sentAtMs === null ? null : ownTouchId(naming, naming.sentAtMs, uuids);
    for (const { eventId } of ofReference) places.set(eventId, touchId);
  }
  return places;
}

/**
 * When the messages that references name were sent, to the millisecond.
 * @param events - every event of some references
 */
export function timesOfReferences(events: readonly PlacedEvent[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { messageRef, sentAtMs } of events) {
    if (messageRef !== null && sentAtMs !== null) {
      times.set(messageRef, Math.min(sentAtMs, times.get(messageRef) ?? Infinity));
    }
  }
  return times;
}

/**
 * Places events that say neither when their message was sent nor which it is: each belongs to the newest message to its
 * recipient on its channel and step, in its campaign or thread, that was sent by the time of the event.
 * @param waiting - every such event of some recipients
 * @param sent - every event of these recipients that says when its message was sent
 * @param times - of the references that those carry
 */
export function placeByRecipient(
  waiting: readonly PlacedEvent[],
  sent: readonly PlacedEvent[],
  times: ReadonlyMap<string, number>,
): Places {
  // A second report of a sending tells of the message that the first one named.
  const sentAt = ({ messageRef, sentAtMs }: PlacedEvent) =>
    (messageRef === null ? undefined : times.get(messageRef)) ?? sentAtMs ?? Infinity;
  const strands = Map.groupBy(sent, strandOf);
  return new Map(
    waiting.map((event) => {
      const candidates = (strands.get(strandOf(event)) ?? []).filter(
        (other) => isOfOneConversation(event, other) && sentAt(other) <= latestMs(event),
      );
      const newest = candidates.reduce<PlacedEvent | undefined>((best, other) => {
        if (best === undefined) return other;
        const seconds = secondOf(sentAt(best)) - secondOf(sentAt(other));
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
