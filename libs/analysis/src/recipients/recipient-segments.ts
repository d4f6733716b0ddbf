import {
  DIMENSIONS,
  LEVEL_COUNT,
  levelIndexesOf,
  POSITIONS,
  type DimensionName,
  type SegmentAttribute,
} from '@outcomes/contracts';
import {
  findPreferenceSegments,
  type PreferenceCell,
  type PreferenceGroup,
  type PreferenceSegment,
  type PreferenceTable,
  type PreferenceTest,
} from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import type { IndustryCounts } from './industry-counts';
import type { RecipientReadings } from './responder.repository';

/** Segments of recipients, and the tests that they rest on. */
export interface RecipientSegments {
  /** By what recipients are grouped; null where no segment was found. */
  readonly attribute: SegmentAttribute | null;
  readonly segments: readonly PreferenceSegment[];
  /** Dimensions in which the groups of some attribute differ. */
  readonly differences: readonly { readonly attribute: SegmentAttribute; readonly test: PreferenceTest }[];
}

/** Dimensions that can be preferred; channel and step are part of the stratum. */
const PREFERABLE: readonly DimensionName[] = DIMENSIONS.filter((dimension) => !('replaces' in dimension)).map(
  ({ name }) => name,
);
/** One for every run: the same data gives the same segments. */
const SEED = 1;
/** Positions with fewer replies say nothing. */
const FEWEST_REPLIES = 20;

/** Groups of recipients, by industry or by position, that answer to other messages than the rest. */
export function recipientSegments(
  table: CohortTable,
  { responders, byIndustry, industryCounts }: RecipientReadings,
): RecipientSegments {
  const options = { seed: SEED, tests: 2 * PREFERABLE.length };
  const found = (
    [
      ['industry', peopleBy(byIndustry, ({ industry }) => industry), industryTables(industryCounts)],
      ['position', peopleBy(responders, ({ position }) => position), positionTables(table)],
    ] as const
  ).map(([attribute, groups, tables]) => ({
    attribute,
    ...findPreferenceSegments(groups, tables, options),
  }));
  const differences = found.flatMap(({ attribute, tests, significant }) =>
    tests.filter(({ dimension }) => significant.includes(dimension)).map((test) => ({ attribute, test })),
  );
  // A recipient belongs to one segment, so one attribute must do: the one with the clearest evidence.
  const [clearest] = found
    .filter(({ segments }) => segments.length > 0)
    .sort((a, b) => evidenceOf(a.tests) - evidenceOf(b.tests));
  return {
    attribute: clearest?.attribute ?? null,
    segments: clearest?.segments ?? [],
    differences: differences.sort((a, b) => a.test.pValue - b.test.pValue),
  };
}

const evidenceOf = (tests: readonly PreferenceTest[]) => Math.min(...tests.map(({ pValue }) => pValue));

function peopleBy<Item extends { readonly people: number }>(
  items: readonly Item[],
  idOf: (item: Item) => string,
): PreferenceGroup[] {
  const people = new Map<string, number>();
  for (const item of items) people.set(idOf(item), (people.get(idOf(item)) ?? 0) + item.people);
  return [...people].map(([id, count]) => ({ id, people: count }));
}

/** Counts per level of LEVELS in one group and stratum. */
interface Stratum {
  readonly group: string;
  readonly n: Int32Array;
  readonly y: Int32Array;
}

function industryTables(counts: readonly IndustryCounts[]): PreferenceTable[] {
  return tablesOf(counts.map(({ industry, n, y }) => ({ group: industry, n, y })));
}

function positionTables(table: CohortTable): PreferenceTable[] {
  const strata = new Map<string, Stratum>();
  const replies = POSITIONS.map(() => 0);
  for (let row = 0; row < table.size; row += 1) {
    const position = table.position[row] ?? 0;
    if (table.isMature(row)) replies[position] = (replies[position] ?? 0) + (table.replies[row] ?? 0);
  }
  for (const { channel, step, position, touches, replies: answered } of table.matureLevels) {
    // Nobody can act on a preference of people of whom nothing is known.
    if (position === 0) continue;
    const stratum = stratumOf(strata, POSITIONS[position] ?? '', `${channel} ${step}`);
    for (let level = 0; level < LEVEL_COUNT; level += 1) {
      add(stratum, level, touches[level] ?? 0, answered[level] ?? 0);
    }
  }
  const telling = new Set(
    POSITIONS.filter((_, index) => (replies[index] ?? 0) >= FEWEST_REPLIES).map(String),
  );
  return tablesOf([...strata.values()].filter(({ group }) => telling.has(group)));
}

function stratumOf(strata: Map<string, Stratum>, group: string, stratum: string): Stratum {
  const key = `${group}\n${stratum}`;
  const known = strata.get(key);
  if (known) return known;
  const made = { group, n: new Int32Array(LEVEL_COUNT), y: new Int32Array(LEVEL_COUNT) };
  strata.set(key, made);
  return made;
}

function add({ n, y }: Stratum, level: number, messages: number, replies: number): void {
  n[level] = (n[level] ?? 0) + messages;
  y[level] = (y[level] ?? 0) + replies;
}

function tablesOf(strata: readonly Stratum[]): PreferenceTable[] {
  if (new Set(strata.map(({ group }) => group)).size < 2) return [];
  return PREFERABLE.map((dimension) => {
    const levels = levelIndexesOf(dimension);
    return {
      dimension,
      cells: strata.map(({ group, n, y }): PreferenceCell => ({
        group,
        n: levels.map((level) => n[level] ?? 0),
        y: levels.map((level) => y[level] ?? 0),
      })),
    };
  });
}
