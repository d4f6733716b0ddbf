import { DAY_MS, EVENT_KINDS, OUTCOMES } from '@outcomes/contracts';
import { isExact, latestMs } from './outcome-time';
import type { MessageFacts, StoredEvent } from './touch';

/** An automatic reply says that what was taken for a reply up to so long before was automatic too. */
const VOIDED_WITHIN_MS = 7 * DAY_MS;

const RESPONDED = EVENT_KINDS.indexOf('responded');
const BOUNCED = EVENT_KINDS.indexOf('bounced');
const UNSUBSCRIBED = EVENT_KINDS.indexOf('unsubscribed');
const SILENT = EVENT_KINDS.indexOf('no_response');
const OPENED = EVENT_KINDS.indexOf('opened');
const CLICKED = EVENT_KINDS.indexOf('clicked');
const AUTO_REPLIED = EVENT_KINDS.indexOf('auto_replied');
const MEETING_BOOKED = EVENT_KINDS.indexOf('meeting_booked');

/** What counts partition messages by: the outcome that stands, and when it came about. */
export interface DecidedOutcome {
  /** Index into OUTCOMES. */
  readonly outcome: number;
  readonly outcomeAtMs: number;
  readonly outcomeIsExact: boolean;
}

/**
 * The facts that the events of one message tell, side by side. An automatic reply is no reply, and voids one of the
 * seven days before it, unless a person answered later.
 * @param events - of one message, in any order
 */
export function factsOf(events: readonly StoredEvent[]): MessageFacts {
  return {
    repliedAtMs: replyOf(events)?.outcomeAtMs ?? null,
    unsubscribedAtMs: earliest(events, UNSUBSCRIBED),
    bouncedAtMs: earliest(events, BOUNCED),
    silentAtMs: earliest(events, SILENT),
    openedAtMs: earliestOf(events, (event) => event.kind === OPENED || event.opened),
    clickedAtMs: earliest(events, CLICKED),
    autoRepliedAtMs: earliest(events, AUTO_REPLIED),
    meetingBookedAtMs: earliestOf(events, (event) => event.kind === MEETING_BOOKED || event.meetingBooked),
  };
}

/**
 * The outcome that stands: whoever asks to be removed has opted out, whatever else was said, and who answered was
 * reached, although an earlier message came back.
 * @param sentAtMs - of the message; its silence begins there
 */
export function decidedOutcome(
  facts: MessageFacts,
  events: readonly StoredEvent[],
  sentAtMs: number,
): DecidedOutcome {
  const decided = (kind: number, atMs: number): DecidedOutcome => ({
    outcome: kind,
    outcomeAtMs: atMs,
    outcomeIsExact: events.some(
      (event) => event.kind === kind && event.outcomeAtMs === atMs && isExact(event),
    ),
  });
  if (facts.unsubscribedAtMs !== null) return decided(UNSUBSCRIBED, facts.unsubscribedAtMs);
  if (facts.repliedAtMs !== null) return decided(RESPONDED, facts.repliedAtMs);
  if (facts.bouncedAtMs !== null) return decided(BOUNCED, facts.bouncedAtMs);
  // Silence is known up to its latest report; without one, from the sending on.
  const silentUntil = events.reduce<number | null>(
    (latest, event) => (event.kind === SILENT ? Math.max(latest ?? -Infinity, event.outcomeAtMs) : latest),
    null,
  );
  return {
    outcome: OUTCOMES.indexOf('no_response'),
    outcomeAtMs: silentUntil ?? sentAtMs,
    outcomeIsExact: true,
  };
}

/** The earliest reply of a person: of those with an exact time if there is one, because only they tell a delay. */
function replyOf(events: readonly StoredEvent[]): StoredEvent | undefined {
  // Most messages have none.
  if (!events.some((event) => event.kind === RESPONDED)) return undefined;
  const replies = events.filter((event) => event.kind === RESPONDED);
  const automatic = events.filter((event) => event.kind === AUTO_REPLIED);
  const standing = replies.filter((reply) => !isVoid(reply, automatic, replies));
  const exact = standing.filter(isExact);
  return (exact.length > 0 ? exact : standing).reduce<StoredEvent | undefined>(
    (first, reply) => (first && first.outcomeAtMs <= reply.outcomeAtMs ? first : reply),
    undefined,
  );
}

function isVoid(
  reply: StoredEvent,
  automatic: readonly StoredEvent[],
  replies: readonly StoredEvent[],
): boolean {
  return automatic.some(
    (label) =>
      label.outcomeAtMs - reply.outcomeAtMs <= VOIDED_WITHIN_MS &&
      !replies.some((later) => later.outcomeAtMs > latestMs(label)),
  );
}

function earliest(events: readonly StoredEvent[], kind: number): number | null {
  return earliestOf(events, (event) => event.kind === kind);
}

function earliestOf(events: readonly StoredEvent[], tells: (event: StoredEvent) => boolean): number | null {
  let first: number | null = null;
  for (const event of events) {
    if (tells(event) && (first === null || event.outcomeAtMs < first)) first = event.outcomeAtMs;
  }
  return first;
}
