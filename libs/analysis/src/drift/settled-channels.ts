import { CHANNELS, MATURITY_DAYS, type DriftDocument, type Channel } from '@outcomes/contracts';
import { dayOf } from '../cohorts/days';

/** Which messages of a channel have settled and count, by send day. Days are since 1970-01-01. */
export interface SettledChannel {
  /** index into CHANNELS */
  readonly channel: number;
  /** That of the last change, or of the first sends. */
  readonly dataFrom: number;
  readonly settledThrough: number;
}

/**
 * What has settled by the newest run: what everything else of that run goes by, silent sources included. The newest send day
 * would tell otherwise, because outcomes may be known up to a later day, or not have been told for weeks.
 */
export function settledChannels(drift: DriftDocument | undefined): SettledChannel[] {
  return (drift?.channels ?? []).flatMap(({ channel, data_from, settled_through, looked_through }) => {
    const through = settled_through ?? looked_through;
    if (through === null) return [];
    return { channel: CHANNELS.indexOf(channel), dataFrom: dayOf(data_from), settledThrough: dayOf(through) };
  });
}

/** Day up to which outcomes are known; undefined where no channel counts. */
export function observedUntil(settled: readonly SettledChannel[]): number | undefined {
  const days = settled.map(
    ({ channel, settledThrough }) => settledThrough + MATURITY_DAYS[CHANNELS[channel] as Channel],
  );
  return days.length === 0 ? undefined : Math.max(...days);
}
