import type { Route } from '../profile';
import { readable } from './fault';
import type { MapContext } from './map-record';
import type { SourceRecord } from './read-path';
import { EARLIEST_MS } from './read-time';
import { readMoment } from './read-value';

/**
 * The newest time that a record bears and the contract takes, also where the record is skipped or at fault.
 * @param nowMs - later ones do not count
 * @returns milliseconds since 1970; undefined where there is none
 */
export function newestTimeIn(
  { facts = [], message, last_message: last }: Route,
  record: SourceRecord,
  context: MapContext,
  nowMs: number,
): number | undefined {
  const values = [
    ...facts.map(({ at }) => at),
    message?.sent_at,
    ...(context.lastMessage ? [last?.sent_at] : []),
  ];
  let newest: number | undefined;
  for (const value of new Set(values)) {
    const time = value && readable(() => readMoment(value, record, context))?.epochMs;
    if (time !== undefined && time >= EARLIEST_MS && time <= nowMs) newest = Math.max(newest ?? time, time);
  }
  return newest;
}
