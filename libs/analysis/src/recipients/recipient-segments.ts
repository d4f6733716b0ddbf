import {
  DIMENSIONS,
  levelIndexesOf,
  STEP_BUCKETS,
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
import type { PreferenceCounts } from './preference-counts';
import type { RecipientReadings } from './responder.repository';

/** Segments of recipients, and the tests that they rest on. */
export interface RecipientSegments {
  /** Whether groups could be compared: two campaigns each sent the same texts to several. */
  readonly compared: boolean;
  /** By what recipients are grouped; null where no segment was found. */
  readonly attribute: SegmentAttribute | null;
  readonly segments: readonly PreferenceSegment[];
  /** Dimensions in which the groups of some attribute differ. */
  readonly differences: readonly { readonly attribute: SegmentAttribute; readonly test: PreferenceTest }[];
}

/** Dimensions that can be preferred; channel and step are part of the stratum, as are campaign and position. */
const PREFERABLE: readonly DimensionName[] = DIMENSIONS.filter((dimension) => !('replaces' in dimension)).map(
  ({ name }) => name,
);
/** One for every run: the same data gives the same segments. */
const SEED = 1;

/** Groups of recipients, by industry or by position, that answer to other messages than the rest. */
export function recipientSegments({
  responders,
  byIndustry,
  industryCounts,
  positionCounts,
}: RecipientReadings): RecipientSegments {
  const options = { seed: SEED, tests: 2 * PREFERABLE.length };
  const found = (
    [
      ['industry', peopleBy(byIndustry, ({ industry }) => industry), tablesOf(industryCounts)],
      ['position', peopleBy(responders, ({ position }) => position), tablesOf(positionCounts)],
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
    compared: found.some(({ tests }) => tests.some(({ dispersion }) => dispersion.units > 0)),
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

/** One per dimension, made when it is asked for: together they are larger than what they are made of. */
function* tablesOf(counts: readonly PreferenceCounts[]): Generator<PreferenceTable> {
  if (new Set(counts.map(({ group }) => group)).size < 2) return;
  for (const dimension of PREFERABLE) {
    const levels = levelIndexesOf(dimension);
    const of = (sums: Int32Array) => levels.map((level) => sums[level] ?? 0);
    const cells = counts.map(({ group, campaign, channel, step, n, y }): PreferenceCell => {
      // A campaign has texts of its own for each channel and step.
      const texts = channel * STEP_BUCKETS.length + step;
      return { group, campaign, texts, n: of(n), y: of(y) };
    });
    yield { dimension, cells };
  }
}
