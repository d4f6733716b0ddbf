import { MATURITY_DAYS } from '@outcomes/contracts';
import type { Gap } from '../cohorts/history-source';
import { silentAmong, type SourceRhythm } from './silent-sources';

/**
 * What silent sources leave unknown. Nobody stores which source would have told of a message, so a silent one holds back
 * the whole company: everything is as on the day of its last delivery, and what was sent in the 14 days before, which it
 * would be telling of still, counts neither way.
 * @param today - days since 1970-01-01
 */
export function gapOf(sources: readonly SourceRhythm[], today: number): Gap | undefined {
  const silent = silentAmong(sources, today).sort((a, b) => a.lastDeliveryAt - b.lastDeliveryAt);
  const [first] = silent;
  if (first === undefined) return undefined;
  return {
    observedUntil: first.lastDay,
    sentUntil: first.lastDay - MATURITY_DAYS.email,
    silent: silent.map(({ source, tool, lastDeliveryAt }) => ({
      ...{ source, tool, last_delivery_at: new Date(lastDeliveryAt).toISOString() },
    })),
  };
}
