import { addressHashNamedBy, recipientShaOf, type Contact } from '@outcomes/persistence';
import type { ArrivedEvent } from '../touches/stored-event.repository';
import { BOUNCED, UNSUBSCRIBED } from './kept-rows';

type Heard = Pick<ArrivedEvent, 'recipientId' | 'recipientHash' | 'kind'>;
type Mentioned = Pick<Heard, 'recipientId' | 'recipientHash'>;

/** Of whom batches told something that may change who must not be written to: each recipient and address once. */
export class Arrivals {
  private readonly opposed = new Map<string, Mentioned>();
  private readonly mentioned = new Map<string, Mentioned>();

  /** @param someListed - whether anybody of the company is on the list: only then does a mere mention matter */
  note(events: readonly Heard[], someListed: boolean): void {
    for (const { recipientId, recipientHash, kind } of events) {
      const isOpposed = kind === UNSUBSCRIBED || kind === BOUNCED;
      if (!isOpposed && !someListed) continue;
      const into = isOpposed ? this.opposed : this.mentioned;
      const key = `${recipientHash ?? ''} ${recipientId}`;
      if (!into.has(key)) into.set(key, { recipientId, recipientHash });
    }
  }

  /** Who opted out, or whose mail bounced. */
  get told(): readonly Contact[] {
    return [...this.opposed.values()].map(asContact);
  }

  /** How many others there are. */
  get otherCount(): number {
    return this.mentioned.size;
  }

  /** Everybody else, who may share an address with somebody on the list, or lift a bounce. */
  get others(): readonly Contact[] {
    return [...this.mentioned.values()].map(asContact);
  }

  /**
   * Of the others those who have a row among the given, as recipient or by their address. Thousands of people are held
   * against a short list so without a hash of each.
   */
  othersAmong(
    listed: readonly Pick<Contact, 'recipientId' | 'recipientSha' | 'addressHash'>[],
  ): readonly Contact[] {
    const ids = new Set(listed.flatMap(({ recipientId }) => recipientId ?? []));
    const hashes = new Set(listed.flatMap(({ addressHash }) => addressHash ?? []));
    // Whoever was erased is known by the hash of the name alone.
    const shas = new Set(
      listed.flatMap(({ recipientId, recipientSha }) => (recipientId === null ? (recipientSha ?? []) : [])),
    );
    return [...this.mentioned.values()]
      .filter((mentioned) => {
        if (ids.has(mentioned.recipientId)) return true;
        const addressHash = addressHashAt(mentioned);
        if (addressHash !== null && hashes.has(addressHash)) return true;
        return shas.size > 0 && shas.has(recipientShaOf(mentioned.recipientId));
      })
      .map(asContact);
  }
}

const addressHashAt = ({ recipientId, recipientHash }: Mentioned) =>
  recipientHash ?? addressHashNamedBy(recipientId);

const asContact = (mentioned: Mentioned): Contact => ({
  recipientId: mentioned.recipientId,
  recipientSha: recipientShaOf(mentioned.recipientId),
  addressHash: addressHashAt(mentioned),
});
