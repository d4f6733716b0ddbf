import { NO_CAMPAIGN, type CampaignDayRow } from '@outcomes/persistence';

/** Campaigns of one send day that are told apart. Few companies run as many on one channel at once. */
export const MAX_CAMPAIGNS_A_DAY = 256;
/** The others of that day are counted in so many bundles: one alone would look like a campaign that carries the channel. */
const BUNDLES = 64;
/** Above every key of a campaign. */
const FIRST_BUNDLE = 2 ** 48;

export function isBundle(campaign: number): boolean {
  return campaign >= FIRST_BUNDLE;
}

/**
 * Bounds what looks and memory read to a number of campaigns a day. Which ones are told apart depends on the counts
 * of the day alone, so that a run which reads a few days and one which reads the whole history see the same.
 */
export class CampaignBundles {
  /** Campaigns that were merged, by the last day on which they were. */
  readonly merged = new Map<number, number>();

  bundled(day: number, rows: readonly CampaignDayRow[]): readonly CampaignDayRow[] {
    const sends = new Map<number, number>();
    for (const { campaign, touches } of rows) {
      if (campaign !== NO_CAMPAIGN) sends.set(campaign, (sends.get(campaign) ?? 0) + touches);
    }
    if (sends.size <= MAX_CAMPAIGNS_A_DAY) return rows;
    const largest = [...sends].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MAX_CAMPAIGNS_A_DAY);
    const told = new Set([NO_CAMPAIGN, ...largest.map(([campaign]) => campaign)]);
    for (const campaign of sends.keys()) if (!told.has(campaign)) this.merged.set(campaign, day);
    return summed(
      rows.map((row) =>
        told.has(row.campaign) ? row : { ...row, campaign: FIRST_BUNDLE + (row.campaign % BUNDLES) },
      ),
    );
  }
}

/** One row for each campaign, step and position. */
function summed(rows: readonly CampaignDayRow[]): CampaignDayRow[] {
  const sums = new Map<string, CampaignDayRow>();
  for (const row of rows) {
    const cell = `${row.campaign} ${row.step} ${row.position}`;
    const sum = sums.get(cell);
    const [touches, replies] = [sum?.touches ?? 0, sum?.replies ?? 0];
    sums.set(cell, { ...row, touches: touches + row.touches, replies: replies + row.replies });
  }
  return [...sums.values()];
}
