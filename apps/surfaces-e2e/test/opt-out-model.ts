/**
 * Who may be written to, straight from its definition (libs/persistence, README): plain loops over a list, no SQL, and
 * nothing of the services' own code.
 */
export interface ToldEvent {
  readonly id: string;
  readonly recipient: string;
  readonly address: string | null;
  readonly kind: 'no_response' | 'responded' | 'bounced' | 'unsubscribed';
  readonly at: number;
  readonly ingestedAt: number;
  /** Of no message, so that the worker makes none of it. */
  readonly isAlone: boolean;
  isProcessed: boolean;
  /** Its event is gone; what it said of writing to somebody is left. */
  isRemembered: boolean;
}

/** A recipient_id or an address. */
export interface Asked {
  readonly recipient: string | null;
  readonly address: string | null;
}

export interface Verdict {
  readonly reasons: readonly string[];
  readonly canContact: boolean | null;
}

interface Seen {
  readonly addresses: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
  readonly unsubscribed: boolean;
  readonly bouncedAt: number;
  readonly repliedAt: number;
}

const MAX_PEOPLE = 20;

export class OptOutModel {
  private events: ToldEvent[] = [];

  tell(event: ToldEvent): void {
    this.events.push(event);
  }

  get live(): readonly ToldEvent[] {
    return this.events.filter((event) => !event.isRemembered);
  }

  process(cutoff: number): void {
    for (const event of this.events) {
      if (!event.isAlone && !event.isRemembered && event.ingestedAt > cutoff) event.isProcessed = true;
    }
  }

  delete(id: string): void {
    const event = this.events.find((one) => one.id === id);
    if (event === undefined) return;
    const near = this.near(event.recipient);
    this.events = this.events.filter((one) => one !== event);
    this.tidy(near);
  }

  erase(recipient: string, keeps: boolean): 'kept' | 'removed' | 'none' {
    const near = this.near(recipient);
    const own = this.events.filter((event) => event.recipient === recipient);
    const hadOptOut = own.some(({ kind }) => kind === 'unsubscribed' || kind === 'bounced');
    this.events = this.events.filter((event) => event.recipient !== recipient);
    if (hadOptOut && keeps) this.events.push(...own.map((event) => ({ ...event, isRemembered: true })));
    this.tidy(near);
    if (!hadOptOut) return 'none';
    if (!keeps) return 'removed';
    const stands = this.events.some(
      ({ recipient: of, kind }) => of === recipient && (kind === 'unsubscribed' || kind === 'bounced'),
    );
    return stands ? 'kept' : 'none';
  }

  /** Retention: of what has expired, what has to do with an opt-out is remembered, and the rest forgotten. */
  expire(cutoff: number): void {
    const expired = this.events.filter((event) => !event.isRemembered && event.ingestedAt <= cutoff);
    const standing = new Map(expired.map(({ recipient }) => [recipient, this.evidenceNear(recipient)]));
    const people = new Set(expired.flatMap(({ recipient }) => [...this.near(recipient)]));
    for (const event of expired) {
      const { any, bounce } = standing.get(event.recipient) ?? { any: false, bounce: false };
      const says = event.kind === 'responded' ? bounce : event.kind !== 'no_response';
      if (any && (says || event.address !== null)) {
        event.isRemembered = true;
        // Without a bounce near, of a reply only the tie is left.
        if (!says)
          this.events[this.events.indexOf(event)] = { ...event, isRemembered: true, kind: 'no_response' };
      } else this.events = this.events.filter((one) => one !== event);
    }
    this.tidy(people);
  }

  verdict(asked: Asked, cutoff: number): Verdict {
    const { unsubscribed, bouncedAt, repliedAt } = this.see(asked);
    const reasons = [
      ...(unsubscribed ? ['unsubscribed'] : []),
      ...(bouncedAt !== -Infinity && bouncedAt >= repliedAt ? ['bounced'] : []),
    ];
    if (reasons.length > 0) return { reasons, canContact: false };
    const isKnown = this.events.some(
      (event) =>
        !event.isRemembered &&
        event.ingestedAt > cutoff &&
        ((asked.recipient !== null && event.recipient === asked.recipient) ||
          (asked.address !== null && event.address === asked.address && ties(event))),
    );
    return { reasons, canContact: isKnown ? true : null };
  }

  private see({ recipient, address }: Asked): Seen {
    const addresses = new Set<string>();
    if (address !== null) addresses.add(address);
    for (const event of this.events) {
      if (event.recipient === recipient && event.address !== null) addresses.add(event.address);
    }
    const people = new Set<string>();
    // Of whom only what is remembered ties them here; they block and lift nothing that is told of them since.
    const named = new Set<string>();
    if (recipient !== null) {
      people.add(recipient);
      named.add(recipient);
    }
    for (const one of addresses) {
      const holders = this.events.filter((event) => event.address === one && ties(event));
      if (new Set(holders.map((event) => event.recipient)).size > MAX_PEOPLE) continue;
      for (const holder of holders) {
        people.add(holder.recipient);
        if (!holder.isRemembered) named.add(holder.recipient);
      }
    }
    let [unsubscribed, bouncedAt, repliedAt] = [false, -Infinity, -Infinity];
    const ofNobody: ToldEvent[] = [];
    for (const event of this.events) {
      const isDirect = event.address !== null && addresses.has(event.address);
      if (!isDirect && !people.has(event.recipient)) continue;
      if (!isDirect && !event.isRemembered && !named.has(event.recipient)) {
        ofNobody.push(event);
        continue;
      }
      if (event.kind === 'unsubscribed') unsubscribed = true;
      if (event.kind === 'bounced') bouncedAt = Math.max(bouncedAt, event.at);
      if (event.kind === 'responded') repliedAt = Math.max(repliedAt, event.at);
    }
    const isOver = unsubscribed;
    for (const event of isOver ? [] : ofNobody) {
      if (event.kind === 'unsubscribed') unsubscribed = true;
      if (event.kind === 'bounced') bouncedAt = Math.max(bouncedAt, event.at);
    }
    return { addresses, people, unsubscribed, bouncedAt, repliedAt };
  }

  private near(recipient: string): ReadonlySet<string> {
    return this.see({ recipient, address: null }).people;
  }

  /** Whether there is an opt-out or a bounce, lifted or not, for a recipient, its addresses, or who shares one. */
  private evidenceNear(recipient: string): { any: boolean; bounce: boolean } {
    const { people, addresses } = this.see({ recipient, address: null });
    const seen = [
      ...[...people].map((one) => this.see({ recipient: one, address: null })),
      ...[...addresses].map((one) => this.see({ recipient: null, address: one })),
    ];
    const bounce = seen.some(({ bouncedAt }) => bouncedAt !== -Infinity);
    return { any: bounce || seen.some(({ unsubscribed }) => unsubscribed), bounce };
  }

  /** Forgets remembered bounces that a remembered reply of the same recipient and address lifts, then what blocks nobody. */
  private tidy(people: ReadonlySet<string>): void {
    const remembered = this.events.filter((event) => event.isRemembered && people.has(event.recipient));
    const lifted = remembered.filter(
      (bounce) =>
        bounce.kind === 'bounced' &&
        remembered.some(
          (reply) =>
            reply.kind === 'responded' &&
            reply.recipient === bounce.recipient &&
            reply.address === bounce.address &&
            reply.at > bounce.at,
        ),
    );
    this.events = this.events.filter((event) => !lifted.includes(event));
    const idle = [...people].filter((recipient) => !this.evidenceNear(recipient).any);
    this.events = this.events.filter((event) => !event.isRemembered || !idle.includes(event.recipient));
  }
}

/** Whether an event says that its recipient has its address: an answer at once, anything else when it became a message. */
function ties(event: ToldEvent): boolean {
  return event.kind !== 'no_response' || event.isProcessed || event.isRemembered;
}
