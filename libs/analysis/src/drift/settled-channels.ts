import { CHANNELS, MATURITY_DAYS, type DriftDocument } from '@outcomes/contracts';
import { dayOf } from '../cohorts/days';

/** Which messages of a channel have settled and count, by send day. Days are since 1970-01-01. */
export interface SettledChannel {
  /** index into CHANNELS */
  readonly channel: number;
  /** That of the last change, or of the first sends. */
  readonly dataFrom: number;
  readonly settledThrough: number;
  /** Days after which messages have settled. */
  readonly settleDays: number;
}

/**
 * What has settled by the newest run: what everything else of that run goes by, silent sources included. The newest send day
 * would tell otherwise, because outcomes may be known up to a later day, or not have been told for weeks. Where many replies come
 * later, a prediction, which is of all of them, can be held only against messages that have nearly all of theirs.
 */
export function settledChannels(drift: DriftDocument | undefined): SettledChannel[] {
  return (drift?.channels ?? []).flatMap(
    ({ channel, data_from, settled_through, looked_through, late_replies }) => {
      const through = settled_through ?? looked_through;
      if (through === null) return [];
      const settled = dayOf(through);
      const settledThrough = late_replies ? dayOf(late_replies.complete_through) : settled;
      return {
        channel: CHANNELS.indexOf(channel),
        dataFrom: dayOf(data_from),
        settledThrough,
        settleDays: MATURITY_DAYS[channel] + settled - settledThrough,
      };
    },
  );
}

/** Day up to which outcomes are known; undefined where no channel counts. */
export function observedUntil(settled: readonly SettledChannel[]): number | undefined {
  const days = settled.map(({ settledThrough, settleDays }) => settledThrough + settleDays);
  return days.length === 0 ? undefined : Math.max(...days);
}
