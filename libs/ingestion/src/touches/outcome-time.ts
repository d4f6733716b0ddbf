import { DAY_MS, STORED_MEANINGS } from '@outcomes/contracts';
import type { StoredEvent } from './touch';

const EXACT = STORED_MEANINGS.indexOf('exact');
const THAT_DAY = STORED_MEANINGS.indexOf('that_day');

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
