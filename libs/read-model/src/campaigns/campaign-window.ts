import { addDays, dayOf, matureDays, startOf, type Day } from '../touches/day';

/** Whole send days in UTC, ending with the day up to which outcomes are included. */
export interface CampaignWindow {
  readonly from: Day;
  readonly to: Day;
  readonly days: number;
  readonly matureDays: readonly Day[];
}

export function campaignWindow(asOf: Date, days: number): CampaignWindow {
  const to = dayOf(asOf);
  return { from: addDays(to, 1 - days), to, days, matureDays: matureDays(asOf) };
}

/** The window in wire form: start inclusive, end exclusive. */
export function wireWindow({ from, to, days }: CampaignWindow) {
  return { from: startOf(from), to: startOf(addDays(to, 1)), days };
}
