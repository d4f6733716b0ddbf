import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldTouch, type FoldedTouch } from './fold-touch';
import type { ArrivedEvent } from './stored-event.repository';
import type { StoredEvent } from './touch';

/** Messages that are folded in one go: some ten milliseconds. */
const MESSAGES_IN_ONE_GO = 200;

/**
 * The touches of arrived events, as if there were no others about their messages. It pauses now and then: what is under
 * way to Postgres and from there would stand still, and Postgres with it, as the sockets hold a fraction of a slice.
 */
export async function foldAlone(
  arrived: readonly ArrivedEvent[],
  timeZone: string,
): Promise<Map<string, FoldedTouch>> {
  const ofTouches = Map.groupBy(arrived.filter(isPlaced), (event) => event.touchId);
  const folded = new Map<string, FoldedTouch>();
  let messages = 0;
  for (const [touchId, events] of ofTouches) {
    messages += 1;
    if (messages % MESSAGES_IN_ONE_GO === 0) await nextTurn();
    // A message to which a tool refers may have events of another recipient, and is read as a whole.
    if (events.every(({ messageRef }) => messageRef === null))
      folded.set(touchId, foldTouch(events, timeZone));
  }
  return folded;
}

/** Whether the event is at a message, and does not wait for it. */
export function isPlaced(event: ArrivedEvent): event is StoredEvent {
  return event.touchId !== null;
}
