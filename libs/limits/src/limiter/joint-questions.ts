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
 * Asks once for all requests of one credential that arrive in one turn of the event loop: the question costs more
 * than the rest of a request's admission. Each gets the verdict that it would have got alone, in order of arrival.
 * Nobody waits for a question under way: one that Redis does not answer, or that has to look into Postgres, would
 * hold everybody up.
 */
export class JointQuestions {
  private groups: Group[] = [];
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
    if (this.groups.length === 0) setImmediate(() => this.askAll());
    this.groups.push(group);
    this.open.set(name, group);
    return group;
  }

  /** All questions of the turn go out in this one. */
  private askAll(): void {
    const { groups } = this;
    this.groups = [];
    this.open.clear();
    for (const { settle, name, subject, question, requests } of groups)
      settle(this.ask(name, subject, question, requests));
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
