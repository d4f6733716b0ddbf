import { CHANNELS, LEVEL_COUNT } from '@outcomes/contracts';
import type { IndustryDay } from './industry-day';

/** Messages and replies of one industry in one stratum, per level of LEVELS. */
export interface IndustryCounts {
  /** In lower case, without blanks around it, at most 60 characters. */
  readonly industry: string;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly n: Int32Array;
  readonly y: Int32Array;
}

/** Industries with fewer replies say nothing; and a company has more spellings than this only by accident. */
const FEWEST_REPLIES = 20;
const MAX_INDUSTRIES = 12;

/**
 * Counts of the industries with the most messages, over days of which some channels have matured.
 * @param days - each with the channels whose messages count
 * @returns in order of the industry, then as they are met
 */
export function industryCounts(
  days: readonly { readonly day: IndustryDay; readonly channels: readonly number[] }[],
): IndustryCounts[] {
  const totals = new Map<string, { messages: number; replies: number }>();
  for (const { day, channels } of days) {
    for (const { industry, messages, replies } of day.industries()) {
      const total = totals.get(industry) ?? { messages: 0, replies: 0 };
      for (const channel of channels) {
        total.messages += messages[channel] ?? 0;
        total.replies += replies[channel] ?? 0;
      }
      totals.set(industry, total);
    }
  }
  const kept = [...totals]
    .filter(([, { replies }]) => replies >= FEWEST_REPLIES)
    .sort(([a, { messages: n }], [b, { messages: m }]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_INDUSTRIES)
    .map(([industry]) => industry);
  return countsOf(days, new Set(kept));
}

function countsOf(days: Parameters<typeof industryCounts>[0], kept: ReadonlySet<string>): IndustryCounts[] {
  const strata = new Map<string, IndustryCounts>();
  for (const { day, channels } of days) {
    const counted = new Set(channels);
    for (const cell of day.cells(kept)) {
      if (!counted.has(cell.channel)) continue;
      const { industry, channel, step, position } = cell;
      const key = `${CHANNELS.length * step + channel} ${position} ${industry}`;
      let sums = strata.get(key);
      if (sums === undefined) {
        const none = () => new Int32Array(LEVEL_COUNT);
        strata.set(key, (sums = { industry, channel, step, position, n: none(), y: none() }));
      }
      cell.addTo(sums.n, sums.y);
    }
  }
  return [...strata.values()].sort(
    (a, b) =>
      (a.industry < b.industry ? -1 : a.industry > b.industry ? 1 : 0) ||
      a.channel - b.channel ||
      a.step - b.step ||
      a.position - b.position,
  );
}
