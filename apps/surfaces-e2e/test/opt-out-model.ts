/**
 * Who may be written to, straight from its definition (libs/persistence, README): plain loops over a list, no SQL, and
 * nothing of the services' own code.
 */
export interface ToldEvent {
  readonly id: string;
  readonly recipient: string;
  /** As recipient_email. */
  readonly email: string | null;
  /** That, or of an answer without one a recipient_id that is an address. */
  readonly address: string | null;
  readonly kind: 'no_response' | 'responded' | 'bounced' | 'unsubscribed';
  readonly at: number;
  /** When it came at the earliest: `at`, unless that is the latest time. */
  readonly since: number;
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

export interface OptOutVerdict {
  readonly reasons: readonly string[];
  readonly canContact: boolean | null;
}

export interface Seen {
  readonly addresses: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
  readonly unsubscribed: boolean;
  readonly bouncedAt: number;
  readonly repliedAt: number;
}

const MAX_PEOPLE = 20;

export function verdictOf(events: readonly ToldEvent[], asked: Asked, cutoff: number): OptOutVerdict {
  const { unsubscribed, bouncedAt, repliedAt } = see(events, asked);
  const reasons = [
    ...(unsubscribed ? ['unsubscribed'] : []),
    ...(bouncedAt !== -Infinity && bouncedAt >= repliedAt ? ['bounced'] : []),
  ];
  if (reasons.length > 0) return { reasons, canContact: false };
  const isKnown = events.some(
    (event) =>
      !event.isRemembered &&
      event.ingestedAt > cutoff &&
      ((asked.recipient !== null && event.recipient === asked.recipient) ||
        (asked.address !== null && event.address === asked.address && ties(event))),
  );
  return { reasons, canContact: isKnown ? true : null };
}

/** Whom a contact is, and what is said of writing to it. */
export function see(events: readonly ToldEvent[], { recipient, address }: Asked): Seen {
  const addresses = new Set<string>();
  if (address !== null) addresses.add(address);
  for (const event of events) {
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
    const holders = events.filter((event) => event.address === one && ties(event));
    if (new Set(holders.map((event) => event.recipient)).size > MAX_PEOPLE) continue;
    for (const holder of holders) {
      people.add(holder.recipient);
      if (!holder.isRemembered) named.add(holder.recipient);
    }
  }
  let [unsubscribed, bouncedAt, repliedAt] = [false, -Infinity, -Infinity];
  const ofNobody: ToldEvent[] = [];
  for (const event of events) {
    const isDirect = event.address !== null && addresses.has(event.address);
    if (!isDirect && !people.has(event.recipient)) continue;
    if (!isDirect && !event.isRemembered && !named.has(event.recipient)) {
      ofNobody.push(event);
      continue;
    }
    if (event.kind === 'unsubscribed') unsubscribed = true;
    if (event.kind === 'bounced') bouncedAt = Math.max(bouncedAt, event.at);
    if (event.kind === 'responded') repliedAt = Math.max(repliedAt, event.since);
  }
  const isOver = unsubscribed;
  for (const event of isOver ? [] : ofNobody) {
    if (event.kind === 'unsubscribed') unsubscribed = true;
    if (event.kind === 'bounced') bouncedAt = Math.max(bouncedAt, event.at);
  }
  return { addresses, people, unsubscribed, bouncedAt, repliedAt };
}

/** Whether an event says that its recipient has its address: an answer at once, anything else when it became a message. */
function ties(event: ToldEvent): boolean {
  return event.kind !== 'no_response' || event.isProcessed || event.isRemembered;
}
