// The companies of a soak: what each sends, and what must be there at the end of all that was accepted.
import { Buffer } from 'node:buffer';

export const outcomes = ['responded', 'no_response', 'bounced', 'unsubscribed'] as const;
export type Outcome = (typeof outcomes)[number];
export type Counts = Record<Outcome, number>;

/** What a request adds once it is accepted. `sum` is that of the numbers in the ids of its events. */
export interface Content {
  readonly events: number;
  readonly sum: number;
  readonly counts: Counts;
}

export interface Batch extends Content {
  readonly body: Buffer;
}

const DAY_MS = 86_400_000;
/** Recipients of a company. As many at the end as at the beginning, so that answers about them do not grow. */
export const RECIPIENTS = 20_011;
const CAMPAIGNS = 12;
/** A fifth of the events tells later that a message was opened. */
const LATER = 1_001;
const titles = [
  ...['VP Sales', 'Head of Marketing', 'Chief Executive Officer', 'Portfolio Manager'],
  ...['Software Engineer', 'Director of Operations'],
];
const words =
  'we help teams like yours book more meetings without adding work would next week suit you'.split(' ');

export const noCounts = (): Counts => ({ responded: 0, no_response: 0, bounced: 0, unsubscribed: 0 });

/**
 * A company that sends, with a ledger. Event n is the same whenever it is made. Who opts out, bounces or answers is
 * settled by the recipient: of each kind there are as many at the end as at the beginning.
 */
export class Company {
  readonly stored: { events: number; sum: number; counts: Counts } = {
    ...{ events: 0, sum: 0, counts: noCounts() },
  };
  /** The newest small batch that was accepted, to be sent again. */
  repeatable: Batch | undefined;
  readonly name: string;
  readonly companyId: string;
  readonly share: number;
  apiKey: string;
  readonly #base: number;
  #next = 0;

  constructor(tenant: { companyId: string; apiKey: string }, name: string, share: number, base: number) {
    this.companyId = tenant.companyId;
    this.apiKey = tenant.apiKey;
    this.name = name;
    this.share = share;
    this.#base = base;
  }

  /** The next events, which nobody has sent yet. */
  take(size: number): Batch {
    const counts = noCounts();
    const texts: string[] = [];
    let sum = 0;
    for (let at = 0; at < size; at += 1) {
      const number = this.#next++;
      sum += number;
      const isLater = number % 5 === 4 && number > LATER;
      texts.push(isLater ? this.#opening(number) : this.#message(number));
      if (!isLater) counts[outcomeOf(number)] += 1;
    }
    const body = Buffer.from(size === 1 ? (texts[0] ?? '') : `{"events":[${texts.join(',')}]}`);
    return { body, events: size, sum, counts };
  }

  accepted({ events, sum, counts }: Content): void {
    this.stored.events += events;
    this.stored.sum += sum;
    for (const outcome of outcomes) this.stored.counts[outcome] += counts[outcome];
  }

  #message(number: number): string {
    const outcome = outcomeOf(number);
    const sentAt = this.#sentAt(number);
    // A reply comes a day later; that nothing came is known since yesterday.
    const outcomeAt = outcome === 'no_response' ? this.#base - DAY_MS : sentAt + DAY_MS;
    const text = number % 80;
    return (
      `{"event_id":"${idOf(number)}",${this.#envelope(number)},"outcome":"${outcome}",` +
      `"outcome_at":"${new Date(outcomeAt).toISOString()}","tone":"conversational","word_count":${60 + text},` +
      `"subject":"${sentence(text, 6)}","body_excerpt":"${sentence(text, 23)}","industry":"Software",` +
      `"metadata":{"campaign_id":"${campaignOf(number)}","variant":"b"}}`
    );
  }

  /** Tells of a message that was reported a thousand events ago that it was opened. */
  #opening(number: number): string {
    const message = number - LATER;
    const at = new Date(this.#sentAt(message) + DAY_MS / 12).toISOString();
    return (
      `{"event_id":"${idOf(number)}",${this.#envelope(message)},"fact":"opened","outcome_at":"${at}",` +
      `"metadata":{"campaign_id":"${campaignOf(message)}","variant":"b"}}`
    );
  }

  #envelope(number: number): string {
    const recipient = number % RECIPIENTS;
    return (
      `"channel":"${number % 4 === 3 ? 'linkedin' : 'email'}","sequence_step":${(number >> 2) % 4},` +
      `"recipient_id":"${recipientOf(number)}","recipient_email":"${recipient}@${this.companyId}.example",` +
      `"recipient_position":"${titles[recipient % titles.length]}","thread_id":"thread-${number}",` +
      `"sent_at":"${new Date(this.#sentAt(number)).toISOString()}"`
    );
  }

  /** From 25 to 84 days ago: whoever has not answered by now does not any more, so that every message is settled. */
  #sentAt(number: number): number {
    return this.#base - (25 + (mixed(number) % 60)) * DAY_MS - (number % 28_800) * 1_000;
  }
}

export const recipientOf = (number: number) => `recipient-${number % RECIPIENTS}`;
export const campaignOf = (number: number) => `campaign-${(number % RECIPIENTS) % CAMPAIGNS}`;

function outcomeOf(number: number): Outcome {
  const kind = mixed(number % RECIPIENTS) % 100;
  if (kind < 2) return 'unsubscribed';
  if (kind < 4) return 'bounced';
  return kind < 12 && mixed(number + 1) % 3 === 0 ? 'responded' : 'no_response';
}

/** Day, campaign, channel and outcome have nothing to do with one another: a change of rates would be found otherwise. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Ids come in no order, as those of senders do; the last twelve digits are the number. */
function idOf(number: number): string {
  return `${mixed(number).toString(16).padStart(8, '0')}-50a6-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

function sentence(seed: number, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => words[(seed * 7 + at * (1 + (seed % 5))) % words.length],
  ).join(' ');
}
