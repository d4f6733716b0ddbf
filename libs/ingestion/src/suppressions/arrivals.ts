import { contactOf, type Contact } from '@outcomes/persistence';
import type { ArrivedEvent } from '../touches/stored-event.repository';
import { BOUNCED, UNSUBSCRIBED } from './kept-rows';

type Heard = Pick<ArrivedEvent, 'recipientId' | 'recipientHash' | 'kind'>;

/** Of whom batches told something that may change who must not be written to: each recipient and address once. */
export class Arrivals {
  private readonly opposed = new Map<string, Contact>();
  private readonly mentioned = new Map<string, Contact>();

  /** @param someListed - whether anybody of the company is on the list: only then does a mere mention matter */
  note(events: readonly Heard[], someListed: boolean): void {
    for (const { recipientId, recipientHash, kind } of events) {
      const isOpposed = kind === UNSUBSCRIBED || kind === BOUNCED;
      if (!isOpposed && !someListed) continue;
      const into = isOpposed ? this.opposed : this.mentioned;
      const key = `${recipientHash ?? ''} ${recipientId}`;
      if (into.has(key)) continue;
      const contact = contactOf(recipientId);
      into.set(key, { ...contact, addressHash: recipientHash ?? contact.addressHash });
    }
  }

  /** Who opted out, or whose mail bounced. */
  get told(): readonly Contact[] {
    return [...this.opposed.values()];
  }

  /** Everybody else, who may share an address with somebody on the list, or lift a bounce. */
  get others(): readonly Contact[] {
    return [...this.mentioned.values()];
  }
}
