import type { TouchKey } from '../storage/outcome-event.repository';

/**
 * Messages, and under which recipients their events are found. Nearly every message has one recipient_id: a set for each
 * would cost more memory than all the rest that a fold holds of it.
 */
export class TouchKeys {
  private readonly recipients = new Map<string, string>();
  /** Further recipients of a message, as `touch_id recipient_id`. */
  private readonly others = new Set<string>();

  add(keys: readonly TouchKey[]): void {
    for (const { touchId, recipientId } of keys) {
      const known = this.recipients.get(touchId);
      if (known === undefined) this.recipients.set(touchId, recipientId);
      else if (known !== recipientId) this.others.add(`${touchId} ${recipientId}`);
    }
  }

  /** Those of the given keys that are not here yet. */
  unknown(keys: readonly TouchKey[]): TouchKey[] {
    return keys.filter(({ touchId, recipientId }) => {
      const known = this.recipients.get(touchId);
      return known !== recipientId && !this.others.has(`${touchId} ${recipientId}`);
    });
  }

  hasTouch(touchId: string): boolean {
    return this.recipients.has(touchId);
  }

  touchIds(): MapIterator<string> {
    return this.recipients.keys();
  }
}
