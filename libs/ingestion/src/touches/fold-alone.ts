import { foldTouch, type FoldedTouch } from './fold-touch';
import type { ArrivedEvent } from './stored-event.repository';
import type { StoredEvent } from './touch';

/** The touches of arrived events, as if there were no others about their messages. */
export function foldAlone(arrived: readonly ArrivedEvent[], timeZone: string): Map<string, FoldedTouch> {
  const ofTouches = Map.groupBy(arrived.filter(isPlaced), (event) => event.touchId);
  const folded = new Map<string, FoldedTouch>();
  for (const [touchId, events] of ofTouches) {
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
