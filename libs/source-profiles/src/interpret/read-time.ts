import { IANAZone } from 'luxon';
import { unreadable } from './fault';

/** Of the contract: it takes no earlier time. Milliseconds since 1970. */
export const EARLIEST_MS = Date.UTC(1990, 0, 1);

/** A moment as it is sent, and as a number. */
export interface ReadTime {
  /** ISO 8601: with an offset where the wall clock is known, with Z where it is not. */
  readonly iso: string;
  /** Milliseconds since 1970. */
  readonly epochMs: number;
}

export interface TimeForm {
  /** IANA zone of times without one: of the tool, or as the reader says. */
  readonly zone?: string | undefined;
  readonly order?: 'mdy' | 'dmy' | undefined;
  readonly unit?: 's' | 'ms' | undefined;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i;
const SLASHES =
  /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(AM|PM)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const MINUTE_MS = 60_000;
/** Of the contract, in minutes. */
const MAX_OFFSET = 14 * 60;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
/** No time is as long; the blanks of a hostile text would be tried in every combination. */
const MAX_LENGTH = 64;

/**
 * Reads a time as tools write it: ISO 8601 with T or a blank, dates with slashes or points, seconds or milliseconds since
 * 1970. A time of UTC stays one (Z); another offset, or a named zone, says what the clock on the wall showed.
 * @param text - without blanks around it
 * @param column - for the fault
 * @throws UnreadableValue TIME_ZONE_NEEDED, AMBIGUOUS_DATES, INVALID_TIME
 */
export function readTime(text: string, form: TimeForm, column: string): ReadTime {
  if (text.length > MAX_LENGTH) throw unreadable('INVALID_TIME', column);
  if (form.unit !== undefined && /^\d{9,14}(\.\d+)?$/.test(text)) {
    const epochMs = Math.round(Number(text) * (form.unit === 's' ? 1_000 : 1));
    return { iso: new Date(epochMs).toISOString(), epochMs };
  }
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const clock = { year, month, day, hour, minute, second, fraction };
    return momentOf(clock, zone, form, column);
  }
  const slashes = SLASHES.exec(text);
  if (!slashes) throw unreadable('INVALID_TIME', column);
  const [, first = '', other = '', year, hour, minute, second, half, zone] = slashes;
  const order = orderOf(first, other, text, form.order, column);
  const [month, day] = order === 'mdy' ? [first, other] : [other, first];
  return momentOf({ year, month, day, hour: hourOf(hour, half), minute, second }, zone, form, column);
}

/** A number above 12 is a day, and points stand in dates that begin with one. */
function orderOf(
  first: string,
  other: string,
  text: string,
  order: 'mdy' | 'dmy' | undefined,
  column: string,
): 'mdy' | 'dmy' {
  if (order !== undefined) return order;
  if (text.includes('.')) return 'dmy';
  // Guessed row by row, one file would be read in two ways.
  if (first !== other) throw unreadable('AMBIGUOUS_DATES', column);
  return 'dmy';
}

function hourOf(hour: string | undefined, half: string | undefined): string | undefined {
  if (hour === undefined || half === undefined) return hour;
  return String((Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0));
}

interface Clock {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly hour?: string | undefined;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly fraction?: string | undefined;
}

function momentOf(clock: Clock, zone: string | undefined, form: TimeForm, column: string): ReadTime {
  const two = (text: string | undefined) => (text ?? '0').padStart(2, '0');
  const date = `${clock.year}-${two(clock.month)}-${two(clock.day)}`;
  const time = `${two(clock.hour)}:${two(clock.minute)}:${two(clock.second)}`;
  const wallMs = Date.parse(`${date}T${time}Z`);
  // The engine rolls 31 April over to May.
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString().slice(0, 10) !== date) {
    throw unreadable('INVALID_TIME', column);
  }
  if (clock.hour === undefined) return { iso: date, epochMs: wallMs };
  const milliseconds = Math.floor(Number(clock.fraction ?? 0) * 1_000);
  const offset = zone === undefined ? offsetIn(form.zone, wallMs, column) : offsetOf(zone);
  if (Math.abs(offset) > MAX_OFFSET) throw unreadable('INVALID_TIME', column);
  const fraction = milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
  const iso = `${date}T${time}${fraction}${suffixOf(offset)}`;
  return { iso, epochMs: wallMs - offset * MINUTE_MS + milliseconds };
}

/** Minutes east of UTC. */
function offsetOf(zone: string): number {
  if (/^[a-z]/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
}

function suffixOf(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  const two = (count: number) => String(count).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function offsetIn(name: string | undefined, wallMs: number, column: string): number {
  if (name === undefined) throw unreadable('TIME_ZONE_NEEDED', column);
  if (name === 'UTC') return 0;
  const zone = IANAZone.create(name);
  // The offset at the wall clock read as UTC is at most a day off; the second look is at the moment itself.
  const near = zone.offset(wallMs);
  return zone.offset(wallMs - near * MINUTE_MS);
}

/** By the rule of the contract: a date alone means some time of that day. @param iso - as `readTime` writes it */
export function isBefore(iso: string, other: string): boolean {
  const days = [iso, other].map((time) => time.slice(0, DATE_LENGTH));
  const haveTimes = iso.length > DATE_LENGTH && other.length > DATE_LENGTH;
  return haveTimes ? Date.parse(iso) < Date.parse(other) : (days[0] ?? '') < (days[1] ?? '');
}

/** Whether a text names a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || IANAZone.isValidZone(name);
}
