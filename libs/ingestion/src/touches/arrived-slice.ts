import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlacedEvent } from './find-messages';
import { foldTouch, type FoldedTouch } from './fold-touch';
import type { ArrivedEvent } from './stored-event.repository';
import type { StoredEvent } from './touch';

/** Messages that are folded in one go: some ten milliseconds. */
const MESSAGES_IN_ONE_GO = 200;

/** What is needed of an event that arrived, once its message is folded: whose it is, and where. */
export type ArrivedPlace = PlacedEvent & Pick<ArrivedEvent, 'recipientHash'>;

/**
 * Events that arrived, which are looked up and written together. Their texts are many times the rest of them: events
 * come portion by portion, and of those that are folded the texts are let go.
 */
export class ArrivedSlice {
  readonly events: ArrivedPlace[] = [];
  /** The touches of the events, as if there were no others about their messages. */
  readonly folded = new Map<string, FoldedTouch>();
  private readonly seen = new Set<string>();

  /** Takes where the events of a portion are; `fold` has to follow. */
  place(portion: readonly ArrivedEvent[]): void {
    for (const event of portion) this.events.push(placeOf(event));
  }

  /**
   * Folds a portion. It pauses now and then: what is under way to Postgres and from there would stand still, and
   * Postgres with it, as the sockets hold a fraction of a portion.
   * @param timeZone - IANA name of the company's zone
   */
  async fold(portion: readonly ArrivedEvent[], timeZone: string): Promise<void> {
    const ofTouches = Map.groupBy(portion.filter(isPlaced), (event) => event.touchId);
    let messages = 0;
    for (const [touchId, events] of ofTouches) {
      messages += 1;
      if (messages % MESSAGES_IN_ONE_GO === 0) await nextTurn();
      // A message with events in two portions is read as a whole; so is one to which a tool refers, as it may have
      // events of another recipient.
      if (this.seen.has(touchId)) this.folded.delete(touchId);
      else if (events.every(({ messageRef }) => messageRef === null))
        this.folded.set(touchId, foldTouch(events, timeZone));
      this.seen.add(touchId);
    }
  }
}

function placeOf(event: ArrivedEvent): ArrivedPlace {
  return {
    eventId: event.eventId,
    touchId: event.touchId,
    recipientId: event.recipientId,
    channel: event.channel,
    sequenceStep: event.sequenceStep,
    threadId: event.threadId,
    campaignId: event.campaignId,
    sentAtMs: event.sentAtMs,
    sentHasTime: event.sentHasTime,
    sentOffsetMinutes: event.sentOffsetMinutes,
    outcomeAtMs: event.outcomeAtMs,
    outcomeAtIs: event.outcomeAtIs,
    messageRef: event.messageRef,
    recipientHash: event.recipientHash,
  };
}

function isPlaced(event: ArrivedEvent): event is StoredEvent {
  return event.touchId !== null;
}
