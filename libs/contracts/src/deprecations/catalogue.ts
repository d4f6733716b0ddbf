import { DAY_MS } from '../time/iso-time';

/** A part of an interface that will end. */
export interface Deprecation {
  /** Names it for good: lower-case words joined by hyphens. Who was told is recorded under it. */
  readonly id: string;
  /** What ends, as callers know it, e.g. `GET /v1/patterns/chunks`. */
  readonly subject: string;
  /** Day (UTC, YYYY-MM-DD) from which key holders are told. */
  readonly announcedOn: string;
  /** Day (UTC, YYYY-MM-DD) at whose beginning it ends; at least NOTICE_DAYS after the announcement. */
  readonly sunsetOn: string;
  /** What to use instead, as a sentence. */
  readonly replacement: string;
  /** Where to read more: an https address. */
  readonly documentation: string;
}

/** Shortest time from an announcement to the end, in days. */
export const NOTICE_DAYS = 90;

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** One line of ordinary characters: it becomes the subject of a message. */
const LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;
/** What stands between < and > in a Link header. */
const ADDRESS = /^https:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/;

/**
 * A list of deprecations that keeps the promise of notice.
 * @throws AggregateError with one line per fault: an id that is malformed or taken, a date that no calendar has, less
 * than NOTICE_DAYS between announcement and end, a text of several lines, an address that is not https
 */
export function deprecationCatalogue(entries: readonly Deprecation[]): readonly Deprecation[] {
  const faults = entries.flatMap((entry, place) => [
    ...faultsOf(entry),
    ...(entries.findIndex(({ id }) => id === entry.id) < place ? [`${entry.id}: the id is taken`] : []),
  ]);
  if (faults.length === 0) return entries;
  throw new AggregateError(
    faults.map((fault) => new RangeError(fault)),
    faults.join('\n'),
  );
}

/**
 * The beginning of a day in UTC.
 * @param day - YYYY-MM-DD
 * @returns undefined for a day that no calendar has, such as 2027-02-30
 */
export function startOfDay(day: string): Date | undefined {
  const date = DAY.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? date : undefined;
}

/** Whether key holders are to be told of it on a day (UTC, YYYY-MM-DD): from its announcement until it ends. */
export function isAnnounced({ announcedOn, sunsetOn }: Deprecation, day: string): boolean {
  return announcedOn <= day && day < sunsetOn;
}

function faultsOf({ id, subject, announcedOn, sunsetOn, replacement, documentation }: Deprecation): string[] {
  const faults: string[] = [];
  if (!ID.test(id) || id.length > 64) faults.push('the id is no short name of lower-case words');
  const announced = startOfDay(announcedOn);
  const sunset = startOfDay(sunsetOn);
  if (!announced) faults.push('announcedOn is no calendar date');
  if (!sunset) faults.push('sunsetOn is no calendar date');
  if (announced && sunset && sunset.getTime() - announced.getTime() < NOTICE_DAYS * DAY_MS) {
    faults.push(`sunsetOn is less than ${NOTICE_DAYS} days after announcedOn`);
  }
  if (!LINE.test(subject)) faults.push('subject is not one line of at most 200 characters');
  if (!LINE.test(replacement)) faults.push('replacement is not one line of at most 200 characters');
  if (!ADDRESS.test(documentation) || !URL.canParse(documentation)) {
    faults.push('documentation is no https address');
  }
  return faults.map((fault) => `${id}: ${fault}`);
}

/**
 * Everything that is deprecated: the one source of headers, descriptions and messages. Nothing is today. An entry
 * stays as it was released; to end something later, add one under another id.
 */
export const DEPRECATIONS = deprecationCatalogue([]);
