import { parseIsoTime } from './iso-time';

const WITH_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A moment as an argument names it: an ISO 8601 date-time with an offset, in the grammar that events are read by.
 * Letters may be small, as RFC 3339 has it.
 * @returns undefined where the text has another form or names a time that does not exist
 */
export function instantOf(text: string): Date | undefined {
  const written = text.toUpperCase();
  const time = parseIsoTime(written);
  const isInstant = time !== undefined && time.hasTime && time.year > 0 && WITH_OFFSET.test(written);
  return isInstant ? new Date(time.epochMs) : undefined;
}
