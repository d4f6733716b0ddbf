import type { LimitSubject } from './consumption';
import type { LimitCheck, BatchResult } from './limit-verdict';

/** Asks Redis about so many requests at once; undefined where it does not answer. */
type Ask = (
  name: string,
  subject: LimitSubject,
  check: LimitCheck,
  requests: number,
) => Promise<BatchResult | undefined>;

interface Joined {
  /** From 0. */
  readonly index: number;
  readonly result: Promise<BatchResult | undefined>;
}

interface Group {
  readonly subject: LimitSubject;
  readonly check: LimitCheck;
  readonly result: Promise<BatchResult | undefined>;
  readonly settle: (result: Promise<BatchResult | undefined>) => void;
  requests: number;
}

/** What is asked about one credential. */
interface Inquiry {
  readonly name: string;
  /** Not asked yet; more than one where limits changed in between. */
  waiting: Group[];
  /** Requests in those, now and at the end of the last turn of the event loop that was looked at. */
  requests: number;
  seen: number;
  underWay: number;
  /** Since when the first of them waits: performance.now(). */
  sinceMs: number;
  /** How many were asked about since nothing was under way, and when the last answer came. */
  together: number;
  answeredMs: number;
  /** How many are waited for; 0 where nobody is. */
  expected: number;
}

/** How long requests wait for a check under way at most, in milliseconds: several trips to a Redis in reach. */
const MAX_WAIT_MS = 2;
/** How long, in milliseconds, requests wait for others while every turn of the event loop brings more. */
const MAX_GATHERING_MS = 1;
/** Fewest requests in one check whose senders the next check waits for. */
const LEAST_EXPECTED = 8;
/** How long after the answer to their last check they are expected, in milliseconds: a commit, or a stored document. */
const COMING_BACK_MS = 20;
/** Credentials that are remembered while nothing is asked about them. */
const MAX_KNOWN = 1_000;

/**
 * Asks once for all requests of one credential that arrive in one turn of the event loop, or while a check about it
 * is under way: the check costs more than the rest of a request's admission. Each gets the verdict that it would
 * have got alone, in order of arrival. Senders that ask again as soon as they are answered come back together: the first
 * of them waits for as many as there were. Nobody waits long: a check that Redis does not answer, or that has to look into
 * Postgres, would hold everybody up.
 */
export class LimitCheckBatcher {
  private readonly inquiries = new Map<string, Inquiry>();
  /** To be asked about in this turn. */
  private due: Inquiry[] = [];
  /** Those that wait for a check under way, or for senders to come back, the longest first. */
  private readonly patient = new Set<Inquiry>();
  /** One for all of them: setting and clearing one for each costs as much as a check. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ask: Ask) {}

  /**
   * @param name - of the credential
   * @returns the request's index among those that are asked about together, and what is told of them all:
   * undefined where Redis does not answer
   */
  join(name: string, subject: LimitSubject, check: LimitCheck): Joined {
    const inquiry = this.inquiryOf(name);
    const open = inquiry.waiting.at(-1);
    const group = open && isSame(open.check, check) ? open : this.begin(inquiry, subject, check);
    const index = group.requests;
    group.requests += 1;
    inquiry.requests += 1;
    if (inquiry.requests === inquiry.expected && this.patient.delete(inquiry)) this.askInThisTurn(inquiry);
    return { index, result: group.result };
  }

  private inquiryOf(name: string): Inquiry {
    const known = this.inquiries.get(name);
    if (known) return known;
    if (this.inquiries.size >= MAX_KNOWN) this.forgetIdle();
    const inquiry: Inquiry = {
      ...{ name, waiting: [], requests: 0, seen: 0, underWay: 0, sinceMs: 0 },
      ...{ together: 0, answeredMs: -Infinity, expected: 0 },
    };
    this.inquiries.set(name, inquiry);
    return inquiry;
  }

  private forgetIdle(): void {
    for (const [name, { waiting, underWay }] of this.inquiries)
      if (underWay === 0 && waiting.length === 0) this.inquiries.delete(name);
  }

  private begin(inquiry: Inquiry, subject: LimitSubject, check: LimitCheck): Group {
    const { promise: result, resolve: settle } = withResolvers<BatchResult | undefined>();
    const group = { subject, check, result, settle, requests: 0 };
    inquiry.waiting.push(group);
    if (inquiry.waiting.length > 1) return group;
    if (inquiry.underWay > 0 || this.expect(inquiry)) this.wait(inquiry);
    else this.askInThisTurn(inquiry);
    return group;
  }

  /** @returns whether others are about to come back */
  private expect(inquiry: Inquiry): boolean {
    const { together, answeredMs } = inquiry;
    inquiry.together = 0;
    const areMany = together >= LEAST_EXPECTED && performance.now() - answeredMs < COMING_BACK_MS;
    inquiry.expected = areMany ? together : 0;
    return areMany;
  }

  private wait(inquiry: Inquiry): void {
    inquiry.sinceMs = performance.now();
    this.patient.add(inquiry);
    this.timer ??= setTimeout(this.askOverdue, MAX_WAIT_MS);
  }

  private readonly askOverdue = (): void => {
    this.timer = undefined;
    const now = performance.now();
    for (const inquiry of this.patient) {
      const leftMs = inquiry.sinceMs + MAX_WAIT_MS - now;
      // Timers are no more exact than a millisecond.
      if (leftMs < 1) this.askAbout(inquiry);
      else {
        this.timer = setTimeout(this.askOverdue, leftMs);
        return;
      }
    }
  };

  private askInThisTurn(inquiry: Inquiry): void {
    inquiry.sinceMs = performance.now();
    // Alone, or once all are there, it goes out with this turn.
    inquiry.seen = Math.max(1, inquiry.expected);
    this.putOff(inquiry);
  }

  private putOff(inquiry: Inquiry): void {
    if (this.due.push(inquiry) === 1) setImmediate(this.askAll);
  }

  /** All checks of the turn go out in this one. */
  private readonly askAll = (): void => {
    const { due } = this;
    this.due = [];
    for (const inquiry of due) {
      if (isGathering(inquiry)) this.putOff(inquiry);
      else this.askAbout(inquiry);
    }
  };

  private askAbout(inquiry: Inquiry): void {
    const { name, waiting } = inquiry;
    this.patient.delete(inquiry);
    inquiry.waiting = [];
    inquiry.together += inquiry.requests;
    inquiry.requests = 0;
    inquiry.expected = 0;
    inquiry.underWay += waiting.length;
    const answered = () => {
      inquiry.underWay -= 1;
      if (inquiry.underWay > 0) return;
      inquiry.answeredMs = performance.now();
      if (this.patient.delete(inquiry)) this.askInThisTurn(inquiry);
    };
    for (const { settle, subject, check, requests } of waiting) {
      const result = this.ask(name, subject, check, requests);
      settle(result);
      result.then(answered, answered);
    }
  }
}

/** Whether this turn brought more than the last: senders that were answered together come back one after the other. */
function isGathering(inquiry: Inquiry): boolean {
  const { requests, seen, sinceMs } = inquiry;
  inquiry.seen = requests;
  return requests > seen && performance.now() - sinceMs < MAX_GATHERING_MS;
}

/** Limits can change between two requests, and some requests do not count against the month. */
function isSame(one: LimitCheck, other: LimitCheck): boolean {
  return (
    one.limit === other.limit &&
    one.quota === other.quota &&
    one.countsQuota === other.countsQuota &&
    one.surface === other.surface &&
    one.windowMs === other.windowMs
  );
}

function withResolvers<Value>() {
  let resolve!: (value: Promise<Value>) => void;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
