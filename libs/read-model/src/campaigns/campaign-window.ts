import type { CampaignHealth } from '@outcomes/contracts';
import type { SettledDays } from '../runs/settled-days';
import { counted } from '../text/number-words';
import { addDays, daysBetween, startOf, type Day } from '../touches/day';

/** Whole send days by the clocks of the senders, ending with that of the newest message or the day of the newest outcome. */
export interface CampaignWindow {
  readonly from: Day;
  readonly to: Day;
  readonly days: number;
  /** Per channel, in the order of CHANNELS. */
  readonly settled: readonly SettledDays[];
}

/** @param to - day with which the outcomes end */
export function campaignWindow(to: Day, days: number, settled: readonly SettledDays[]): CampaignWindow {
  return { from: addDays(to, 1 - days), to, days, settled };
}

/** The window in words. It ends with what was reported last, which may be long ago. */
export function daysTo({ days, to }: CampaignWindow): string {
  return `${counted(days, 'day')} to ${to}`;
}

/** The window in wire form: start inclusive, end exclusive; and of each channel the days that its reply rates count. */
export function wireWindow({ from, to, days, settled }: CampaignWindow): CampaignHealth['window'] {
  return {
    from: startOf(from),
    to: startOf(addDays(to, 1)),
    days,
    settled: settled.map(({ channel, through, since }) => {
      const first = since !== undefined && since > from ? since : from;
      const last = through < to ? through : to;
      const length = Math.max(0, daysBetween(first, last) + 1);
      return { channel, from: length > 0 ? first : null, to: length > 0 ? last : null, days: length };
    }),
  };
}
