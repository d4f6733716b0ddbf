import { POSITIONS, LEVEL_COUNT } from '@outcomes/contracts';
import type { IndustryDay, IndustryDayCell } from './industry-day';

/** Messages and replies of one group of recipients in one stratum, per level of LEVELS. */
export interface PreferenceCounts {
  /** An industry, or one of POSITIONS. */
  readonly group: string;
  /** See campaignKeyOf. */
  readonly campaign: number;
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly n: Int32Array;
  readonly y: Int32Array;
}

/** A day, and the channels of which its messages count. */
export interface MatureDay {
  readonly day: IndustryDay;
  readonly channels: readonly number[];
}

/** Groups with fewer replies say nothing. */
const FEWEST_REPLIES = 20;
/** A company has more spellings than this only by accident. */
const MAX_INDUSTRIES = 12;

/** Counts of the industries with the most messages, strata without a reply left out: they compare nothing. */
export function industryCounts(days: readonly MatureDay[]): PreferenceCounts[] {
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
    .filter(([industry, { replies }]) => industry !== '' && replies >= FEWEST_REPLIES)
    .sort(([a, { messages: n }], [b, { messages: m }]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_INDUSTRIES)
    .map(([industry]) => industry);
  return countsOf(days, kept, ({ industry }) => industry);
}

/** The same of the positions that are known: nobody can act on a preference of people of whom nothing is. */
export function positionCounts(days: readonly MatureDay[]): PreferenceCounts[] {
  const replies = POSITIONS.map(() => 0);
  for (const { position, replies: answered } of cellsOf(days))
    replies[position] = (replies[position] ?? 0) + answered;
  const kept = POSITIONS.filter((_, index) => index > 0 && (replies[index] ?? 0) >= FEWEST_REPLIES);
  return countsOf(days, kept, ({ position }) => POSITIONS[position] ?? '');
}

function countsOf(
  days: readonly MatureDay[],
  groups: readonly string[],
  groupOf: (cell: IndustryDayCell) => string,
): PreferenceCounts[] {
  const places = new Map(groups.map((group, place) => [group, place]));
  const keyOf = (cell: IndustryDayCell): string | undefined => {
    const place = places.get(groupOf(cell));
    return place === undefined
      ? undefined
      : `${place} ${cell.campaign} ${cell.channel} ${cell.step} ${cell.position}`;
  };
  const answered = new Map<string, PreferenceCounts>();
  for (const cell of cellsOf(days)) {
    const key = cell.replies > 0 ? keyOf(cell) : undefined;
    if (key === undefined || answered.has(key)) continue;
    const { campaign, channel, step, position } = cell;
    const none = () => new Int32Array(LEVEL_COUNT);
    answered.set(key, { group: groupOf(cell), campaign, channel, step, position, n: none(), y: none() });
  }
  for (const cell of cellsOf(days)) {
    const key = keyOf(cell);
    const sums = key === undefined ? undefined : answered.get(key);
    if (sums !== undefined) cell.addTo(sums.n, sums.y);
  }
  return [...answered.values()].sort(
    (a, b) =>
      (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) ||
      a.campaign - b.campaign ||
      a.channel - b.channel ||
      a.step - b.step ||
      a.position - b.position,
  );
}

function* cellsOf(days: readonly MatureDay[]): Generator<IndustryDayCell> {
  for (const { day, channels } of days) {
    const counted = new Set(channels);
    for (const cell of day.cells()) if (counted.has(cell.channel)) yield cell;
  }
}
