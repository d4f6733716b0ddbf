import { DAY_MS } from '@outcomes/contracts';
import type { WireEvent } from './history-arbitrary';

/** A message as a reader of the contract would put it together. Times are milliseconds since 1970. */
export interface NaiveMessage {
  readonly recipient: string;
  readonly channel: string;
  readonly step: number;
  readonly sentSecond: number;
  outcome: string;
  repliedAt: number | null;
  unsubscribedAt: number | null;
  bouncedAt: number | null;
  openedAt: number | null;
  clickedAt: number | null;
  autoRepliedAt: number | null;
  meetingBookedAt: number | null;
}

interface Read {
  readonly id: string;
  readonly recipient: string;
  readonly address: string | undefined;
  readonly channel: string;
  readonly step: number;
  readonly thread: string;
  readonly isThreadGiven: boolean;
  readonly campaign: string | undefined;
  readonly reference: string | undefined;
  readonly sent: number | undefined;
  /** Whether the time of sending is more than a date. */
  readonly sentHasTime: boolean;
  /** The dates that the two times were written with, YYYY-MM-DD. */
  readonly sentDate: string;
  readonly date: string;
  readonly isDate: boolean;
  readonly at: number;
  /** The last moment that `at` may mean. */
  readonly until: number;
  readonly isExact: boolean;
  readonly kind: string;
  readonly opened: boolean;
}

/**
 * What some events amount to, in plain loops over all of them, written from the contract and with nothing of the
 * service: no ids, no stored state, no differences.
 */
export function naiveMessages(events: readonly WireEvent[]): NaiveMessage[] {
  const all = events.map(read);
  const groups = new Map<string, Read[]>();
  const put = (key: string, event: Read) => groups.set(key, [...(groups.get(key) ?? []), event]);
  const lost: Read[] = [];
  for (const event of all) {
    const naming = namingEvent(event, all);
    if (naming !== undefined) put(keyOf(naming), event);
    else if (event.reference === undefined) lost.push(event);
  }
  const adopted: [string, Read][] = [];
  for (const event of lost) {
    let best: { key: string; second: number } | undefined;
    for (const other of all) {
      const isCandidate =
        other.sent !== undefined &&
        other.recipient === event.recipient &&
        other.channel === event.channel &&
        other.step === event.step &&
        (other.thread === event.thread ||
          (event.campaign !== undefined && other.campaign === event.campaign));
      const naming = isCandidate ? namingEvent(other, all) : undefined;
      if (naming?.sent === undefined || !wasSentBy(naming, naming.sent, event)) continue;
      const second = secondOf(naming.sent);
      if (best === undefined || second > best.second) best = { key: keyOf(naming), second };
    }
    if (best) adopted.push([best.key, event]);
  }
  for (const [key, event] of adopted) put(key, event);
  return closedByOthers([...groups.values()].map(messageOf));
}

function read(event: WireEvent): Read {
  const metadata = (event['metadata'] ?? {}) as Record<string, unknown>;
  const campaign = metadata['campaign_id'] as string | undefined;
  const given = event['thread_id'] as string | undefined;
  const time = (text: unknown) => (text === undefined ? undefined : Date.parse(text as string));
  const at = time(event['outcome_at']) ?? time(event['sent_at']) ?? 0;
  const sent = event['sent_at'] ?? (event['fact'] === 'sent' ? event['outcome_at'] : undefined);
  const isExact = (event['outcome_at_is'] ?? 'exact') === 'exact';
  const isDate = isExact && String(event['outcome_at'] ?? event['sent_at']).length === 'YYYY-MM-DD'.length;
  return {
    id: event.event_id,
    recipient: event['recipient_id'] as string,
    address: event['recipient_email'] as string | undefined,
    channel: event['channel'] as string,
    step: event['sequence_step'] as number,
    thread: given ?? `of ${String(event['recipient_id'])} in ${campaign ?? 'none'}`,
    isThreadGiven: given !== undefined,
    campaign,
    reference: event['message_ref'] as string | undefined,
    sent: time(sent),
    sentHasTime: String(sent).length > 'YYYY-MM-DD'.length,
    sentDate: String(sent).slice(0, 'YYYY-MM-DD'.length),
    date: String(event['outcome_at'] ?? event['sent_at']).slice(0, 'YYYY-MM-DD'.length),
    isDate,
    at,
    until: isDate ? at + DAY_MS - 1 : at,
    isExact,
    kind: (event['fact'] ?? event['outcome']) as string,
    opened: metadata['opened'] === true,
  };
}

/** Where no more than the day is known of one of the two, what happened on the day of sending did not come before it. */
function wasSentBy(message: Read, sent: number, event: Read): boolean {
  const isOfDays = !message.sentHasTime || event.isDate;
  return sent <= event.until || (isOfDays && message.sentDate <= event.date);
}

const secondOf = (ms: number) => Math.floor(ms / 1_000);
const keyOf = (e: Read) => [e.recipient, e.channel, e.thread, e.step, secondOf(e.sent ?? 0)].join('|');

/** The event that says which message this one is about, and when that was sent. */
function namingEvent(event: Read, all: readonly Read[]): Read | undefined {
  if (event.reference === undefined) return event.sent === undefined ? undefined : event;
  let first: Read | undefined;
  for (const other of all) {
    if (other.reference !== event.reference || other.sent === undefined) continue;
    const [a, b] = [other, first];
    const isEarlier =
      b === undefined ||
      (a.sent ?? 0) < (b.sent ?? 0) ||
      (a.sent === b.sent && (a.at < b.at || (a.at === b.at && a.id < b.id)));
    if (isEarlier) first = other;
  }
  return first;
}

interface Gathered extends NaiveMessage {
  readonly address: string | undefined;
  readonly thread: string;
  readonly campaign: string | undefined;
  readonly sentAt: number;
  /** Where no more is known than the day of sending; and of the reply the last day that it is dated. */
  readonly sentOn: string | null;
  readonly repliedOn: string;
  readonly onlyReplies: boolean;
  readonly namesThread: boolean;
  readonly namesMessage: boolean;
}

function messageOf(events: readonly Read[]): Gathered {
  const ordered = [...events].sort((a, b) => {
    if (a.sent !== b.sent) return (a.sent ?? Infinity) < (b.sent ?? Infinity) ? -1 : 1;
    return a.at - b.at || (a.id < b.id ? -1 : 1);
  });
  const first = ordered[0] as Read;
  // Where the first tells no more than the day, one that tells a time on it knows better.
  const told =
    ordered.find(
      ({ sent = Infinity, sentHasTime, sentDate }) =>
        sentHasTime && (sent - (first.sent ?? 0) < DAY_MS || sentDate === first.sentDate),
    ) ?? first;
  const sentAt = (first.sentHasTime ? first : told).sent ?? 0;
  const earliest = (of: readonly Read[]) =>
    of.length === 0 ? null : Math.min(...of.map((event) => event.at));
  const ofKind = (kind: string) => events.filter((event) => event.kind === kind);
  const automatic = ofKind('auto_replied');
  const replies = ofKind('responded');
  const human = replies.filter(
    (reply) =>
      !automatic.some(
        (label) =>
          label.until >= reply.at &&
          label.at <= reply.at + 7 * DAY_MS &&
          !replies.some((later) => later.at > label.until),
      ),
  );
  const exact = human.filter((reply) => reply.isExact);
  const unsubscribedAt = earliest(ofKind('unsubscribed'));
  const repliedAt = earliest(exact.length > 0 ? exact : human);
  const bouncedAt = earliest(ofKind('bounced'));
  let outcome = 'no_response';
  if (bouncedAt !== null) outcome = 'bounced';
  if (repliedAt !== null) outcome = 'responded';
  if (unsubscribedAt !== null) outcome = 'unsubscribed';
  return {
    recipient: first.recipient,
    channel: first.channel,
    step: first.step,
    sentSecond: secondOf(sentAt),
    sentAt,
    sentOn: first.sentHasTime || told.sentHasTime ? null : first.sentDate,
    repliedOn:
      replies
        .filter(({ at }) => at === repliedAt)
        .map(({ date }) => date)
        .sort()
        .at(-1) ?? '',
    address: ordered.find((event) => event.address !== undefined)?.address,
    thread: first.thread,
    campaign: ordered.find((event) => event.campaign !== undefined)?.campaign,
    onlyReplies: events.every((event) => event.kind === 'responded'),
    namesThread: first.isThreadGiven,
    namesMessage: first.isThreadGiven || ordered.some((event) => event.campaign !== undefined),
    outcome,
    repliedAt,
    unsubscribedAt,
    bouncedAt,
    openedAt: earliest(events.filter((event) => event.kind === 'opened' || event.opened)),
    clickedAt: earliest(ofKind('clicked')),
    autoRepliedAt: earliest(automatic),
    meetingBookedAt: earliest(ofKind('meeting_booked')),
  };
}

/**
 * A reply under another recipient_id of an address closes the newest open message of that address, and is none itself. Of
 * replies of one time first come those that name a campaign or thread, then those to what was sent earlier.
 */
function closedByOthers(messages: readonly Gathered[]): NaiveMessage[] {
  const gone = new Set<Gathered>();
  const replies = messages
    .filter(
      (message) => message.onlyReplies && message.outcome === 'responded' && message.address !== undefined,
    )
    .sort(
      (a, b) =>
        (a.repliedAt ?? 0) - (b.repliedAt ?? 0) ||
        Number(b.namesMessage) - Number(a.namesMessage) ||
        a.sentAt - b.sentAt,
    );
  for (const reply of replies) {
    const open = messages.filter(
      (message) =>
        !gone.has(message) &&
        message.address === reply.address &&
        message.recipient !== reply.recipient &&
        message.channel === reply.channel &&
        message.outcome === 'no_response' &&
        (message.sentAt <= (reply.repliedAt ?? 0) ||
          (message.sentOn !== null && message.sentOn <= reply.repliedOn)) &&
        (reply.repliedAt ?? 0) - message.sentAt <= 90 * DAY_MS &&
        (message.thread === reply.thread ||
          (reply.campaign !== undefined ? message.campaign === reply.campaign : !reply.namesThread)),
    );
    const newest = open.sort((a, b) => b.sentAt - a.sentAt || b.step - a.step)[0];
    if (newest === undefined) continue;
    newest.outcome = 'responded';
    newest.repliedAt = reply.repliedAt;
    newest.openedAt = smaller(newest.openedAt, reply.openedAt);
    gone.add(reply);
  }
  return messages.filter((message) => !gone.has(message));
}

function smaller(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}
