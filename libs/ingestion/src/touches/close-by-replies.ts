import { DAY_MS } from '@outcomes/contracts';
import { threadOf } from '../identity/event-record';
import type { NameBasedUuids } from '../identity/name-based-uuid';
import { NO_RESPONSE, RESPONDED, type FoldedTouch } from './fold-touch';
import type { Touch } from './touch';

/** Nobody answers a message that is older than this: such a reply answers something else. */
const ANSWERED_WITHIN_MS = 90 * DAY_MS;
/** An address that more recipients or messages share is a placeholder or a shared inbox, and identifies nobody. */
export const MAX_RECIPIENTS_OF_ADDRESS = 20;
export const MAX_TOUCHES_OF_ADDRESS = 1_000;

/** What became of the touches of one address. */
export interface ClosedTouches {
  /** Messages, some of them now answered. */
  readonly touches: readonly Touch[];
  /** Replies that were no messages of their own, and which touch each of them closed. */
  readonly echoes: readonly { readonly reply: Touch; readonly closesTouchId: string }[];
}

/** Reply detection of touches of any addresses, address by address. @param uuids - of the company */
export function closeAddresses(folded: Iterable<FoldedTouch>, uuids: NameBasedUuids): ClosedTouches {
  const byAddress = Map.groupBy(folded, ({ touch }) => touch.recipientHash);
  const closed = [...byAddress].map(([hash, group]) =>
    hash === null ? { touches: group.map(({ touch }) => touch), echoes: [] } : closeByReplies(group, uuids),
  );
  return {
    touches: closed.flatMap(({ touches }) => touches),
    echoes: closed.flatMap(({ echoes }) => echoes),
  };
}

/**
 * Reply detection by address. A reply that came under another recipient_id of the same address, with nothing but
 * itself to say that it was a message, closes the newest unanswered message to that address on its channel, in its
 * campaign or thread if it names one, that was sent before it: one reply stays one reply. Replies are taken in order of
 * time, each closes one message at most. Of those of one time, as where their day alone is known, first come those that name
 * what they answer, then those to what was sent earlier. The result depends on the set of touches alone.
 * @param folded - every touch of one address
 * @param uuids - of the company
 */
export function closeByReplies(folded: readonly FoldedTouch[], uuids: NameBasedUuids): ClosedTouches {
  const recipients = new Set(folded.map(({ touch }) => touch.recipientId));
  if (
    recipients.size < 2 ||
    recipients.size > MAX_RECIPIENTS_OF_ADDRESS ||
    folded.length > MAX_TOUCHES_OF_ADDRESS
  ) {
    return { touches: folded.map(({ touch }) => touch), echoes: [] };
  }
  const touches = new Map(folded.map(({ touch }) => [touch.touchId, touch]));
  const echoes: { reply: Touch; closesTouchId: string }[] = [];
  const replies = folded.filter(({ isReplyAlone }) => isReplyAlone);
  const newestFirst = folded.map(({ touch }) => touch).sort(bySending);
  for (const { touch: reply, replyDay } of replies.toSorted(byOutcome(uuids))) {
    const mayClose = belongsWith(reply, uuids);
    const open = newestFirst.find(
      (touch) => mayClose(touch) && answers(reply, replyDay, touches.get(touch.touchId)),
    );
    if (!open) continue;
    touches.set(open.touchId, answeredBy(reply, open));
    touches.delete(reply.touchId);
    echoes.push({ reply, closesTouchId: open.touchId });
  }
  return { touches: [...touches.values()], echoes };
}

/** A reply that names a campaign or a thread answers a message of that one, and of no other. */
function belongsWith(reply: Touch, uuids: NameBasedUuids): (touch: Touch) => boolean {
  const { threadId, campaignId } = reply;
  if (campaignId !== null) return (touch) => touch.campaignId === campaignId || touch.threadId === threadId;
  const isNamed = namesMessage(reply, uuids);
  return (touch) => !isNamed || touch.threadId === threadId;
}

/** Whether a reply names the campaign or the thread of what it answers. */
function namesMessage({ threadId, campaignId, recipientId }: Touch, uuids: NameBasedUuids): boolean {
  return campaignId !== null || threadId !== threadOf(uuids, recipientId, null);
}

function answers(reply: Touch, replyDay: number | null, touch: Touch | undefined): boolean {
  if (touch?.outcome !== NO_RESPONSE) return false;
  if (touch.channel !== reply.channel || touch.recipientId === reply.recipientId) return false;
  const delay = reply.outcomeAtMs - touch.sentAtMs;
  // Where a date alone is known of the sending, it may have been at any time of that day, wherever that was.
  const isOnThatDay = touch.sentHour === null && replyDay !== null && replyDay * DAY_MS >= touch.sentAtMs;
  return (delay >= 0 || isOnThatDay) && delay <= ANSWERED_WITHIN_MS;
}

function answeredBy(reply: Touch, touch: Touch): Touch {
  return {
    ...touch,
    outcome: RESPONDED,
    outcomeAtMs: reply.outcomeAtMs,
    outcomeIsExact: reply.outcomeIsExact,
    repliedAtMs: reply.repliedAtMs,
    openedAtMs: earlier(touch.openedAtMs, reply.openedAtMs),
    clickedAtMs: earlier(touch.clickedAtMs, reply.clickedAtMs),
    meetingBookedAtMs: earlier(touch.meetingBookedAtMs, reply.meetingBookedAtMs),
    opened: touch.opened || reply.opened,
    meetingBooked: touch.meetingBooked || reply.meetingBooked,
    streamed: touch.streamed || reply.streamed,
  };
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function byOutcome(uuids: NameBasedUuids): (a: FoldedTouch, b: FoldedTouch) => number {
  const isNamed = (touch: Touch) => Number(namesMessage(touch, uuids));
  return ({ touch: a }, { touch: b }) =>
    a.outcomeAtMs - b.outcomeAtMs || isNamed(b) - isNamed(a) || a.sentAtMs - b.sentAtMs || byId(a, b);
}

/** The newest first, of one time the last of the sequence. */
function bySending(a: Touch, b: Touch): number {
  return b.sentAtMs - a.sentAtMs || b.sequenceStep - a.sequenceStep || byId(a, b);
}

function byId(a: Touch, b: Touch): number {
  return a.touchId < b.touchId ? -1 : 1;
}
