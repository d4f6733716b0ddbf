import { DAY_MS, OUTCOMES, positionOf } from '@outcomes/contracts';
import { extractLevels, readTexts } from '../features/extract-levels';
import { readerNames } from '../features/reader-names';
import { textIdsOf } from '../features/text-id';
import { wallClock } from '../features/wall-clock';
import { decidedOutcome, factsOf } from './message-facts';
import { outcomeDayOf, sentDayOf } from './outcome-time';
import type { StoredEvent, Touch } from './touch';

/** An outcome that arrives within this time of its happening was streamed; a later one is history. */
const STREAMED_WITHIN_MS = 7 * DAY_MS;
const SECOND_MS = 1_000;

/** Index into OUTCOMES. */
export const NO_RESPONSE = OUTCOMES.indexOf('no_response');
/** Index into OUTCOMES. */
export const RESPONDED = OUTCOMES.indexOf('responded');

/** A touch as its own events tell it, before replies under another recipient_id are looked at. */
export interface FoldedTouch {
  readonly touch: Touch;
  /** Whether every event is a reply: nothing but the reply says that there was a message. */
  readonly isReplyAlone: boolean;
  /** Days since 1970 of the date that such a reply was written with. */
  readonly replyDay: number | null;
}

/**
 * Folds the events of one message into its touch. The result depends on the set of events alone, not on the order
 * or the batches in which they came: facts stand side by side, and every other part comes from the first event that
 * has it, in order of sending.
 * @param events - all events of one touch, at least one of which says when it was sent
 * @param timeZone - IANA name of the company's zone
 */
export function foldTouch(events: readonly StoredEvent[], timeZone: string): FoldedTouch {
  const ordered = events.length === 1 ? events : events.toSorted(byTime);
  const first = ordered[0] as StoredEvent;
  const sent = ordered.find((event) => saysWhen(event, first)) ?? first;
  const sentAtMs = sent.sentAtMs ?? sent.outcomeAtMs;
  const clock = wallClock(sentAtMs, sent.sentOffsetMinutes, sent.sentHasTime, timeZone);
  const facts = factsOf(ordered);
  const jobTitle = firstOf(ordered, 'recipientPosition');
  const { position, confidence } = positionOf(jobTitle);
  const message = {
    channel: first.channel,
    sequenceStep: first.sequenceStep,
    tone: firstOf(ordered, 'tone'),
    sentAtMs,
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
  const texts = readTexts(message);
  const campaignId = firstOf(ordered, 'campaignId');
  const variantId = firstOf(ordered, 'variantId');
  const touch: Touch = {
    touchId: first.touchId,
    channel: first.channel,
    sequenceStep: first.sequenceStep,
    position,
    positionConfidence: confidence,
    ...facts,
    ...decidedOutcome(facts, ordered, sentAtMs),
    opened: facts.openedAtMs !== null,
    meetingBooked: facts.meetingBookedAtMs !== null,
    streamed: ordered.some((event) => event.ingestedAtMs - event.outcomeAtMs <= STREAMED_WITHIN_MS),
    sentHour: clock.hour,
    sentDay: clock.day,
    sentAtMs,
    levels: extractLevels(message, clock, texts),
    recipientId: first.recipientId,
    threadId: first.threadId,
    campaignId,
    recipientHash: firstOf(ordered, 'recipientHash'),
    recipientPosition: jobTitle,
    propensity: firstOf(ordered, 'propensity'),
    variantId,
    industry: lastIndustry(ordered),
    ...textIdsOf(texts, message.readerNames, { campaignId, step: first.sequenceStep, variantId }),
  };
  const isReplyAlone = ordered.every((event) => event.kind === RESPONDED);
  return { touch, isReplyAlone, replyDay: isReplyAlone ? replyDayOf(ordered, touch.outcomeAtMs) : null };
}

/** Whether an event tells the time of sending better than the first one: where that is a date, by a time on that day. */
function saysWhen(event: StoredEvent, first: StoredEvent): boolean {
  if (!event.sentHasTime || event.sentAtMs === null || first.sentAtMs === null) return false;
  if (first.sentHasTime) return event.sentAtMs - first.sentAtMs < SECOND_MS;
  // The day of a date is one of UTC or of whoever wrote the time.
  return (
    event.sentAtMs - first.sentAtMs < DAY_MS ||
    sentDayOf(event, event.sentAtMs) === sentDayOf(first, first.sentAtMs)
  );
}

function replyDayOf(replies: readonly StoredEvent[], atMs: number): number {
  return Math.max(...replies.filter(({ outcomeAtMs }) => outcomeAtMs === atMs).map(outcomeDayOf));
}

/** The first event that has the part decides; a text that is empty is none. */
function firstOf<Part extends keyof StoredEvent>(
  events: readonly StoredEvent[],
  part: Part,
): StoredEvent[Part] | null {
  for (const { [part]: value } of events) if (value !== null && value !== '') return value;
  return null;
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

/**
 * Order of sending; events that do not say when come last. Total: two events never differ in all of these and stand in
 * no order. The first event of a reference to a message is so the one that names it (find-messages.ts).
 */
export function byTime(
  a: Pick<StoredEvent, 'sentAtMs' | 'outcomeAtMs' | 'eventId'>,
  b: Pick<StoredEvent, 'sentAtMs' | 'outcomeAtMs' | 'eventId'>,
): number {
  if (a.sentAtMs !== b.sentAtMs) return (a.sentAtMs ?? Infinity) < (b.sentAtMs ?? Infinity) ? -1 : 1;
  return a.outcomeAtMs - b.outcomeAtMs || (a.eventId < b.eventId ? -1 : 1);
}
