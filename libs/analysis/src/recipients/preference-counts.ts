import { CHANNELS, LEVEL_COUNT, POSITIONS, STEP_BUCKETS } from '@outcomes/contracts';
import { addLevelsOf, type IndustryDay, type IndustryDayCell } from './industry-day';

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

/**
 * Counts of the industries with the most messages, and of the positions that are known: nobody can act on a preference of
 * people of whom nothing is. Strata without a reply are left out, because they compare nothing.
 */
export function preferenceCounts(days: readonly MatureDay[]): {
  readonly industryCounts: readonly PreferenceCounts[];
  readonly positionCounts: readonly PreferenceCounts[];
} {
  const industries = new Strata(industriesOf(days), ({ industry }) => industry);
  const positions = new Strata(POSITIONS.slice(1), ({ position }) => POSITIONS[position] ?? '');
  const replies = POSITIONS.map(() => 0);
  for (const cell of cellsOf(days)) {
    if (cell.replies === 0) continue;
    industries.open(cell);
    positions.open(cell);
    replies[cell.position] = (replies[cell.position] ?? 0) + cell.replies;
  }
  for (const cell of cellsOf(days)) {
    const [first, second] = [industries.of(cell), positions.of(cell)];
    if (first !== undefined) addLevelsOf(cell, first, second);
    else if (second !== undefined) addLevelsOf(cell, second);
  }
  return {
    industryCounts: industries.list(),
    positionCounts: positions.list().filter(({ position }) => (replies[position] ?? 0) >= FEWEST_REPLIES),
  };
}

function industriesOf(days: readonly MatureDay[]): string[] {
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
  return [...totals]
    .filter(([industry, { replies }]) => industry !== '' && replies >= FEWEST_REPLIES)
    .sort(([a, { messages: n }], [b, { messages: m }]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_INDUSTRIES)
    .map(([industry]) => industry);
}

/** Sums of some groups' cells by stratum. */
class Strata {
  private readonly groups: ReadonlyMap<string, number>;
  /** By campaign, then by everything else as one number: a run looks at a hundred thousand cells. */
  private readonly campaigns = new Map<number, Map<number, PreferenceCounts>>();

  constructor(
    groups: readonly string[],
    private readonly groupOf: (cell: IndustryDayCell) => string,
  ) {
    this.groups = new Map(groups.map((group, place) => [group, place]));
  }

  /** From now on what is alike is added. */
  open(cell: IndustryDayCell): void {
    const key = this.keyOf(cell);
    if (key === undefined) return;
    const { campaign, channel, step, position } = cell;
    const strata = this.campaigns.get(campaign) ?? new Map<number, PreferenceCounts>();
    this.campaigns.set(campaign, strata);
    if (strata.has(key)) return;
    const none = () => new Int32Array(LEVEL_COUNT);
    const group = this.groupOf(cell);
    strata.set(key, { group, campaign, channel, step, position, n: none(), y: none() });
  }

  of(cell: IndustryDayCell): PreferenceCounts | undefined {
    const key = this.keyOf(cell);
    return key === undefined ? undefined : this.campaigns.get(cell.campaign)?.get(key);
  }

  list(): PreferenceCounts[] {
    return [...this.campaigns.values()]
      .flatMap((strata) => [...strata.values()])
      .sort(
        (a, b) =>
          (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) ||
          a.campaign - b.campaign ||
          a.channel - b.channel ||
          a.step - b.step ||
          a.position - b.position,
      );
  }

  private keyOf(cell: IndustryDayCell): number | undefined {
    const group = this.groups.get(this.groupOf(cell));
    if (group === undefined) return undefined;
    return (
      ((group * POSITIONS.length + cell.position) * CHANNELS.length + cell.channel) * STEP_BUCKETS.length +
      cell.step
    );
  }
}

function* cellsOf(days: readonly MatureDay[]): Generator<IndustryDayCell> {
  for (const { day, channels } of days) {
    const counted = new Set(channels);
    for (const cell of day.cells()) if (counted.has(cell.channel)) yield cell;
  }
}
