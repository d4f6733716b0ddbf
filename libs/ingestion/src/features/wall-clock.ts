import { DAY_MS } from '@outcomes/contracts';
import { IANAZone } from 'luxon';

const MINUTE_MS = 60_000;
const EPOCH_WEEKDAY = 3; // 1970-01-01 was a Thursday; Monday is 0.

/** When a message was sent, by the clock on the wall of its sender. */
export interface WallClock {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Monday is 0. */
  readonly weekday: number;
  /** 0 to 23; null where only a date is known. */
  readonly hour: number | null;
}

/**
 * @param offsetMinutes - that came with the time; null for Z or none, which means the company's own zone
 * @param hasTime - false for a date alone, which is the same day everywhere
 * @param timeZone - IANA name of the company's zone; an unknown one counts as UTC
 */
export function wallClock(
  epochMs: number,
  offsetMinutes: number | null,
  hasTime: boolean,
  timeZone: string,
): WallClock {
  const offset = hasTime ? (offsetMinutes ?? zoneOffset(timeZone, epochMs)) : 0;
  const local = epochMs + offset * MINUTE_MS;
  const days = Math.floor(local / DAY_MS);
  return {
    day: new Date(days * DAY_MS).toISOString().slice(0, 10),
    weekday: (((days + EPOCH_WEEKDAY) % 7) + 7) % 7,
    hour: hasTime ? Math.floor((local - days * DAY_MS) / (60 * MINUTE_MS)) : null,
  };
}

function zoneOffset(timeZone: string, epochMs: number): number {
  if (timeZone === 'UTC') return 0;
  const zone = IANAZone.create(timeZone);
  return zone.isValid ? zone.offset(epochMs) : 0;
}
