/** Where a value stands in a record: a column or key, or the keys that lead to it. */
export type Path = string | readonly string[];

/** How one value of an event is read. There are no expressions: what a tool's data need beyond these needs a new operation. */
export type Value =
  | { readonly op: 'text'; readonly path: Path }
  | { readonly op: 'int'; readonly path: Path }
  /** A step of a sequence; `base` is the number of its first one, `prefix` what stands before the number. */
  | { readonly op: 'step'; readonly path: Path; readonly base: 0 | 1; readonly prefix?: string }
  /** A step that is known by an id alone: the caller's table says which it is. */
  | { readonly op: 'step_id'; readonly path: Path }
  | {
      readonly op: 'time';
      readonly path: Path;
      /** IANA zone of times that are written without one; absent where the reader has to say. */
      readonly zone?: string;
      /** Of dates written with slashes; absent where the tool writes none, or in the order of its user. */
      readonly order?: 'mdy' | 'dmy';
      /** Of times that are numbers. */
      readonly unit?: 's' | 'ms';
    }
  | { readonly op: 'email'; readonly path: Path }
  | { readonly op: 'bool'; readonly path: Path }
  | { readonly op: 'map'; readonly path: Path; readonly values: Readonly<Record<string, string>> }
  | { readonly op: 'const'; readonly value: string | number }
  | { readonly op: 'first'; readonly of: readonly Value[] };

export type Condition =
  | { readonly present: Path }
  /** Whether a text is one of these, in whatever case. */
  | { readonly in: Path; readonly values: readonly string[] }
  | { readonly true: Path }
  /** Whether a number is above 0. */
  | { readonly positive: Path }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** What a fact tells: an outcome of the contract, or one of its facts. */
export const TOLD = [
  'responded',
  'bounced',
  'unsubscribed',
  'sent',
  'opened',
  'clicked',
  'auto_replied',
  'meeting_booked',
] as const;
export type Told = (typeof TOLD)[number];

export type TimeMeaning = 'exact' | 'not_before' | 'not_after';

/** How a fact finds its message. */
export const JOINS = ['ref', 'step', 'conversation'] as const;

export interface MessageMapping {
  readonly channel?: Value;
  /** The address of whom the message went to, and nothing else. */
  readonly email?: Value;
  /** The tool's own id of the recipient, for records that bear no address. */
  readonly recipient?: Value;
  /** The tool's own id of the campaign; absent where the reader has to say. */
  readonly campaign?: Value;
  /** Zero-based; absent where messages of a conversation are counted (`conversation`). */
  readonly step?: Value;
  /**
   * ref: the tool's id of the sent message (`ref`) is in every record. step: a campaign sends a step to a recipient once,
   * so campaign, step and recipient name the message. conversation: messages are counted by time within `conversation`,
   * and a fact is about the newest one before it.
   */
  readonly joins: (typeof JOINS)[number];
  readonly ref?: Value;
  readonly conversation?: Value;
  readonly sent_at?: Value;
  readonly subject?: Value;
  readonly position?: Value;
  readonly industry?: Value;
  readonly variant?: Value;
}

/** What may be known of an opt-out or a bounce beyond that there was one: a report of spam, a bounce for good. */
export const TOLD_AS = ['complaint', 'hard'] as const;

export interface FactMapping {
  readonly tells: Told;
  readonly as?: (typeof TOLD_AS)[number];
  readonly when?: Condition;
  /** When it happened; absent where that is known as a bound only (`at_is`). */
  readonly at?: Value;
  readonly at_is?: TimeMeaning;
  /**
   * One fact that stands on several records, such as a reply on every mail of its recipient: records that agree in these
   * values tell it once, of the newest message before it.
   */
  readonly once?: readonly Value[];
}

/** Records that are no news about a message, and why. */
export interface Skip {
  readonly when: Condition;
  /** A word that counts are kept by, such as not_sent. */
  readonly as: string;
}

export const GRAINS = ['message', 'activity', 'contact', 'campaign'] as const;
export const MEDIA = ['csv', 'json', 'webhook', 'mailbox'] as const;

/** One kind of file or payload of a tool. */
export interface Route {
  readonly name: string;
  /** What carries it. A webhook's payload may come as a file of JSON as well. */
  readonly media: readonly (typeof MEDIA)[number][];
  /** What one record stands for. Contacts tell of bounces and opt-outs only; counts of a campaign tell of no message. */
  readonly grain: (typeof GRAINS)[number];
  /** What has to be there for a record to be of this route: columns of a file, or a condition on each object. */
  readonly detect: { readonly columns: readonly string[] } | { readonly when: Condition };
  /** What of it no documentation and no file has shown. Such a route is a draft. */
  readonly unverified?: readonly string[];
  /** Of counts per campaign: which export to take in its place. */
  readonly instead?: string;
  readonly skip?: readonly Skip[];
  /** The tool's own id of the record, by which a second delivery is known. */
  readonly event_id?: Value;
  readonly message?: MessageMapping;
  readonly facts?: readonly FactMapping[];
  /** With --last-message: when the last message to a contact was sent, and which step it was. */
  readonly last_message?: { readonly sent_at: Value; readonly step: Value };
  /** Which values of the record name its type, for counts and for what is not known. */
  readonly type?: Value;
}

export interface SourceProfile {
  readonly tool: string;
  readonly title: string;
  /** draft: at least one route of it has been read from documentation or memory alone and waits for a real file. */
  readonly status: 'documented' | 'draft';
  /** Public pages that say what the tool sends. */
  readonly documentation: readonly string[];
  /** How a webhook of the tool proves who sent it; absent where the tool has none that is of use. */
  readonly webhook?: {
    readonly authentication: 'path' | 'header' | 'hmac-sha256-hex' | 'hmac-sha1-hex';
    /** Name of the header that holds the secret or the signature, in lower case. */
    readonly header?: string;
  };
  readonly routes: readonly Route[];
}
