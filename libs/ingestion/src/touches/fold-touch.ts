import { OUTCOMES, type Outcome } from '@outcomes/contracts';
import { extractLevels } from '../features/extract-levels';
import { readerNames } from '../features/reader-names';
import { wallClock } from '../features/wall-clock';
import { positionOf } from '../positions/position-of';
import type { StoredEvent, Touch } from './touch';

/** An outcome that arrives within this time of its happening was streamed; a later one is history. */
const STREAMED_WITHIN_MS = 7 * 86_400_000;

const STRENGTHS: Readonly<Record<Outcome, number>> = {
  no_response: 0,
  bounced: 1,
  unsubscribed: 2,
  responded: 3,
};
const STRENGTH = OUTCOMES.map((outcome) => STRENGTHS[outcome]);

/** Index into OUTCOMES. */
export const NO_RESPONSE = OUTCOMES.indexOf('no_response');
/** Index into OUTCOMES. */
export const RESPONDED = OUTCOMES.indexOf('responded');

/** A touch as its own events tell it, before replies under another recipient_id are looked at. */
export interface FoldedTouch {
  readonly touch: Touch;
  /** Whether every event is a reply: nothing but the reply says that there was a message. */
  readonly isReplyAlone: boolean;
}

/**
 * Folds the events of one message into its touch. The result depends on the set of events alone, not on the order
 * or the batches in which they came: the strongest outcome stands (the earliest of equals, for silence the
 * latest), and every other part comes from the first event that has it, in order of sending.
 * @param events - all events of one touch, at least one
 * @param timeZone - IANA name of the company's zone
 */
export function foldTouch(events: readonly StoredEvent[], timeZone: string): FoldedTouch {
  const ordered = events.toSorted(byTime);
  const first = ordered[0] as StoredEvent;
  const decisive = ordered.reduce(stronger);
  // A time with an hour says more than a date alone.
  const sent = ordered.find((event) => event.sentHasTime) ?? first;
  const clock = wallClock(sent.sentAtMs, sent.sentOffsetMinutes, sent.sentHasTime, timeZone);
  const jobTitle = firstOf(ordered, 'recipientPosition');
  const { position, confidence } = positionOf(jobTitle);
  const message = {
    channel: first.channel,
    sequenceStep: first.sequenceStep,
    tone: firstOf(ordered, 'tone'),
    sentAtMs: sent.sentAtMs,
    sentOffsetMinutes: sent.sentOffsetMinutes,
    sentHasTime: sent.sentHasTime,
    wordCount: firstOf(ordered, 'wordCount'),
    subject: firstOf(ordered, 'subject'),
    body: firstOf(ordered, 'body'),
    bodyExcerpt: firstOf(ordered, 'bodyExcerpt'),
    readerNames: readerNames(
      firstOf(ordered, 'firstName'),
      firstOf(ordered, 'company'),
      firstOf(ordered, 'emailDomain'),
    ),
    jobTitle,
  };
  const touch: Touch = {
    touchId: first.touchId,
    channel: first.channel,
    sequenceStep: first.sequenceStep,
    position,
    positionConfidence: confidence,
    outcome: decisive.outcome,
    opened: ordered.some((event) => event.opened),
    meetingBooked: ordered.some((event) => event.meetingBooked),
    streamed: ordered.some((event) => event.ingestedAtMs - event.outcomeAtMs <= STREAMED_WITHIN_MS),
    sentHour: clock.hour,
    sentDay: clock.day,
    sentAtMs: sent.sentAtMs,
    outcomeAtMs: decisive.outcomeAtMs,
    levels: extractLevels(message, clock),
    recipientId: first.recipientId,
    threadId: first.threadId,
    campaignId: firstOf(ordered, 'campaignId'),
    recipientHash: firstOf(ordered, 'recipientHash'),
    recipientPosition: jobTitle,
    propensity: firstOf(ordered, 'propensity'),
    variantId: firstOf(ordered, 'variantId'),
    industry: lastIndustry(ordered),
  };
  return { touch, isReplyAlone: ordered.every((event) => event.outcome === RESPONDED) };
}

/** The first event that has the part decides; a text that is empty is none. */
function firstOf<Part extends keyof StoredEvent>(
  events: readonly StoredEvent[],
  part: Part,
): StoredEvent[Part] | null {
  return events.find((event) => event[part] !== null && event[part] !== '')?.[part] ?? null;
}

/** As UTF-8 orders them, which is how Postgres orders them under the collation of the column. */
function lastIndustry(events: readonly StoredEvent[]): string | null {
  let last: string | null = null;
  for (const { industry } of events) {
    if (industry === null || industry === last) continue;
    if (last === null || Buffer.compare(Buffer.from(industry), Buffer.from(last)) > 0) last = industry;
  }
  return last;
}

function stronger(a: StoredEvent, b: StoredEvent): StoredEvent {
  const difference = strengthOf(a) - strengthOf(b);
  if (difference !== 0) return difference > 0 ? a : b;
  const isLater = b.outcomeAtMs > a.outcomeAtMs;
  // Silence is known up to its latest report; anything else happened when it was first reported.
  return (a.outcome === NO_RESPONSE) === isLater ? b : a;
}

function strengthOf(event: StoredEvent): number {
  return STRENGTH[event.outcome] ?? 0;
}

/** Total: two events never differ in all of these and stand in no order. */
function byTime(a: StoredEvent, b: StoredEvent): number {
  return a.sentAtMs - b.sentAtMs || a.outcomeAtMs - b.outcomeAtMs || (a.eventId < b.eventId ? -1 : 1);
}
