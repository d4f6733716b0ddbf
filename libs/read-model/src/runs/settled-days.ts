import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import { addDays, dayOf, type Day } from '../touches/day';
import type { DatedFrame } from './dated-frame';

/** What the run says of one channel's send days. */
export interface SettledDays {
  readonly channel: Channel;
  /** Newest send day whose messages have all settled: replies and non-replies of a day together, as in the run. */
  readonly through: Day;
  /** First send day since replies last changed; undefined where they never have. */
  readonly since: Day | undefined;
  /** First send day since the change before that; undefined where there is none, or where only the last is known. */
  readonly sinceBefore: Day | undefined;
  /**
   * Share of their replies that has come to the messages of `through`, of the day before it and so on, to older ones all;
   * undefined where replies come in time.
   */
  readonly arrived?: readonly number[] | undefined;
}

/** Messages of a day that has settled, weighted by the share of their replies that has come; undefined where that is all. */
export function dueOf(
  messages: number,
  daysBefore: number,
  { arrived }: Pick<SettledDays, 'arrived'>,
): number | undefined {
  return arrived && messages * (arrived[daysBefore] ?? 1);
}

/**
 * The settled days of every channel, in the order of CHANNELS, as the run has them: so that an answer counts what the
 * arms rest on.
 * @param endsOn - day with which the outcomes end, for channels of which the run knows nothing
 */
export function settledDays(frame: Partial<DatedFrame> | undefined, endsOn: Day): SettledDays[] {
  return CHANNELS.map((channel) => {
    const drift = frame?.channels?.find((one) => one.channel === channel);
    return {
      channel,
      through: drift?.settled_through ?? addDays(endsOn, -MATURITY_DAYS[channel]),
      since: drift?.changes.at(-1)?.since,
      sinceBefore: drift?.changes.at(-2)?.since,
      arrived: drift?.late_replies?.arrived,
    };
  });
}

/**
 * Day with which a run ends: that of the newest outcome or of the newest message, whichever is later. Messages are of the
 * day by the clock of their sender, which east of UTC begins before that of the moment.
 */
export function lastDayOf(
  { newestOutcomeAt, dataAsOf }: { readonly newestOutcomeAt: Date | null; readonly dataAsOf: Date | null },
  frame: Partial<DatedFrame> | undefined,
  now: Date,
): Day {
  const sentOn = (frame?.channels ?? []).map(({ last_sent_on }) => last_sent_on);
  return [dayOf(newestOutcomeAt ?? dataAsOf ?? now), ...sentOn].reduce((a, b) => (a < b ? b : a));
}
