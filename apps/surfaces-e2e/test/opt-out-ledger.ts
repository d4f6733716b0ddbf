import { addressIn } from './opt-out-histories';
import { see, verdictOf, type Asked, type ToldEvent, type OptOutVerdict } from './opt-out-model';

const OPT_OUTS: readonly ToldEvent['kind'][] = ['unsubscribed', 'bounced'];

/** What a company has been told, and what deletion, erasure and retention leave of it. */
export class OptOutLedger {
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

  /**
   * Keeping the suppression means that whoever must not be written to before must not be written to afterwards, whoever it
   * was that opted out; without it, all that the recipient said goes.
   */
  erase(recipient: string, keeps: boolean): 'kept' | 'removed' | 'none' {
    const near = this.near(recipient);
    const isOf = (event: ToldEvent) => event.recipient === recipient;
    const hadOptOut = this.events.some((event) => isOf(event) && OPT_OUTS.includes(event.kind));
    const asked = { recipient, address: addressIn(recipient) };
    const { any: isConcerned } = this.evidenceNear(recipient);
    if (keeps && isConcerned)
      this.events = this.events.map((event) => (isOf(event) ? { ...event, isRemembered: true } : event));
    else this.events = this.events.filter((event) => !isOf(event));
    this.tidy(near);
    if (!keeps) return hadOptOut ? 'removed' : 'none';
    return this.verdict(asked, Infinity).canContact === false ? 'kept' : 'none';
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

  verdict(asked: Asked, cutoff: number): OptOutVerdict {
    return verdictOf(this.events, asked, cutoff);
  }

  private near(recipient: string): ReadonlySet<string> {
    return see(this.events, { recipient, address: null }).people;
  }

  /** Whether there is an opt-out or a bounce, lifted or not, for a recipient, its addresses, or who shares one. */
  private evidenceNear(recipient: string): { any: boolean; bounce: boolean } {
    const { people, addresses } = see(this.events, { recipient, address: null });
    const seen = [
      ...[...people].map((one) => see(this.events, { recipient: one, address: null })),
      ...[...addresses].map((one) => see(this.events, { recipient: null, address: one })),
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
            reply.since > bounce.at,
        ),
    );
    this.events = this.events.filter((event) => !lifted.includes(event));
    const idle = [...people].filter((recipient) => !this.evidenceNear(recipient).any);
    this.events = this.events.filter((event) => !event.isRemembered || !idle.includes(event.recipient));
  }
}
