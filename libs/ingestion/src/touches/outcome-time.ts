import { DAY_MS, STORED_MEANINGS } from '@outcomes/contracts';
import type { StoredEvent } from './touch';

const EXACT = STORED_MEANINGS.indexOf('exact');
const THAT_DAY = STORED_MEANINGS.indexOf('that_day');
const MINUTE_MS = 60_000;

/** Whether the time of an event is what happened, to the moment or to the day, and no bound of it. */
export function isExact({ outcomeAtIs }: Pick<StoredEvent, 'outcomeAtIs'>): boolean {
  return outcomeAtIs === EXACT || outcomeAtIs === THAT_DAY;
}

/**
 * The latest moment that the time of an event can mean, in milliseconds since 1970: a date alone precedes nothing that
 * happened on that day.
 */
export function latestMs({
  outcomeAtMs,
  outcomeAtIs,
}: Pick<StoredEvent, 'outcomeAtMs' | 'outcomeAtIs'>): number {
  return outcomeAtIs === THAT_DAY ? outcomeAtMs + DAY_MS - 1 : outcomeAtMs;
}

/** Days since 1970 of the date that the time of sending was written with. */
export function sentDayOf(
  event: Pick<StoredEvent, 'sentHasTime' | 'sentOffsetMinutes'>,
  sentAtMs: number,
): number {
  return dayOf(sentAtMs, event.sentHasTime ? event.sentOffsetMinutes : null);
}

/** The same of the time of what the event tells. */
export function outcomeDayOf({
  outcomeAtMs,
  outcomeAtIs,
  sentOffsetMinutes,
}: Pick<StoredEvent, 'outcomeAtMs' | 'outcomeAtIs' | 'sentOffsetMinutes'>): number {
  return dayOf(outcomeAtMs, outcomeAtIs === THAT_DAY ? null : sentOffsetMinutes);
}

/**
 * Whether a message may have been sent by the time of an event. Where a date alone is told of either, that is any time of
 * that day wherever it was written: east of UTC the day begins before the midnight that the date is stored as.
 */
export function isSentBy(
  sent: Pick<StoredEvent, 'sentHasTime' | 'sentOffsetMinutes'> & { readonly sentAtMs: number },
  event: Pick<StoredEvent, 'outcomeAtMs' | 'outcomeAtIs' | 'sentOffsetMinutes'>,
): boolean {
  if (sent.sentAtMs <= latestMs(event)) return true;
  const isOfDays = !sent.sentHasTime || event.outcomeAtIs === THAT_DAY;
  return isOfDays && sentDayOf(sent, sent.sentAtMs) <= outcomeDayOf(event);
}

function dayOf(epochMs: number, offsetMinutes: number | null): number {
  return Math.floor((epochMs + (offsetMinutes ?? 0) * MINUTE_MS) / DAY_MS);
}
