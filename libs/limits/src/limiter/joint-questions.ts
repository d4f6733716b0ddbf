import type { LimitSubject } from './consumption';
import type { Question, Tally } from './verdict';

/** Asks Redis about so many requests at once; undefined where it does not answer. */
type Ask = (
  name: string,
  subject: LimitSubject,
  question: Question,
  requests: number,
) => Promise<Tally | undefined>;

interface Joined {
  /** From 0. */
  readonly place: number;
  readonly tally: Promise<Tally | undefined>;
}

interface Group {
  readonly name: string;
  readonly subject: LimitSubject;
  readonly question: Question;
  readonly tally: Promise<Tally | undefined>;
  readonly settle: (tally: Promise<Tally | undefined>) => void;
  requests: number;
}

/**
 * Asks once for all requests of one credential that arrive in one turn of the event loop, or while others are asked
 * about: the question costs more than the rest of a request's admission. Each gets the verdict that it would have got
 * alone, in order of arrival.
 */
export class JointQuestions {
  private groups: Group[] = [];
  private underWay = 0;
  private readonly open = new Map<string, Group>();

  constructor(private readonly ask: Ask) {}

  /**
   * @param name - of the credential
   * @returns the request's place among those that are asked about together, and what is told of them all:
   * undefined where Redis does not answer
   */
  join(name: string, subject: LimitSubject, question: Question): Joined {
    const open = this.open.get(name);
    const group = open && isSame(open.question, question) ? open : this.begin(name, subject, question);
    const place = group.requests;
    group.requests += 1;
    return { place, tally: group.tally };
  }

  private begin(name: string, subject: LimitSubject, question: Question): Group {
    const { promise: tally, resolve: settle } = withResolvers<Tally | undefined>();
    const group = { name, subject, question, tally, settle, requests: 0 };
    this.groups.push(group);
    this.open.set(name, group);
    if (this.groups.length === 1) this.askSoon();
    return group;
  }

  private askSoon(): void {
    if (this.underWay === 0 && this.groups.length > 0) setImmediate(() => this.askAll());
  }

  /** All questions of the turn go out in this one. */
  private askAll(): void {
    const { groups } = this;
    this.groups = [];
    this.open.clear();
    for (const group of groups) void this.settle(group);
  }

  private async settle({ settle, name, subject, question, requests }: Group): Promise<void> {
    this.underWay += 1;
    const tally = this.ask(name, subject, question, requests);
    settle(tally);
    await Promise.allSettled([tally]);
    this.underWay -= 1;
    this.askSoon();
  }
}

/** Limits can change between two requests, and some requests do not count against the month. */
function isSame(one: Question, other: Question): boolean {
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
