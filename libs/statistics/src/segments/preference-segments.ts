import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import { requireDomain } from '../numerics/stats-domain-error';
import { type Rng, seededRng } from '../random';
import {
  type ComparedPreferences,
  comparePreferences,
  type PreferenceTable,
  type PreferenceTest,
} from './preference-test';

/** A group of recipients by something known of them, e.g. an industry. */
export interface PreferenceGroup {
  readonly id: string;
  /** profiled people in it, >= 0 */
  readonly people: number;
}

export interface PreferenceOptions {
  readonly seed: number;
  /** tests that share the chance of a false claim, this one's tables included; default: the number of tables */
  readonly tests?: number;
}

export interface Preference {
  readonly dimension: string;
  /** index of the level */
  readonly level: number;
  /** shrunk, against what all groups have in common */
  readonly logOddsRatio: number;
  readonly z: number;
}

export interface PreferenceSegment {
  /** ids of the groups, sorted */
  readonly groups: readonly string[];
  readonly people: number;
  /** mean Jaccard similarity with its nearest cluster in bootstrap samples, in [0.75, 1] */
  readonly stability: number;
  /** high from size 10 */
  readonly confidence: 'high' | 'medium';
  /** the level by which the segment differs most, per dimension in which groups differ */
  readonly preferences: readonly Preference[];
}

export interface PreferenceSegments {
  /** every dimension's test, in the order of the tables */
  readonly tests: readonly PreferenceTest[];
  /** dimensions in which the groups differ */
  readonly significant: readonly string[];
  /** largest first */
  readonly segments: readonly PreferenceSegment[];
}

/**
 * Chance of claiming any difference where there is none, on one day. A tenth of the usual: data that grow and are
 * looked at every day for months must stay below one in twenty.
 */
export const FALSE_CLAIM = 0.005;
/** A group must itself stand out this clearly, shared among the groups. */
const GROUP_LEVEL = 0.05;
const SMALLEST_SEGMENT = 3;
const KEPT_STABILITY = 0.75;
const HIGH_CONFIDENCE_SIZE = 10;
const BOOTSTRAPS = 40;

/**
 * Segments of recipients who answer to other messages than the rest: groups by something known of them, merged
 * where they lean the same way.
 *
 * Shapes: G groups and D tables in, D tests and any number of segments out.
 * @param groups - all groups that the tables name
 * @param tables - one per dimension: counts per group and stratum, over all messages sent and not only answered ones;
 * each is let go before the next is taken
 * @param options - seed of the bootstrap, and how many tests share the chance of a false claim
 * @returns segments with bootstrap Jaccard >= 0.75 and at least three people; none where no dimension's test says
 * that groups differ
 * @throws StatsDomainError with code `size`, `count` or `range`
 *
 * Reference: Hennig (2007), Computational Statistics and Data Analysis 52, 258-271 (stability of clusters).
 * Oracle: planted groups and groups that are alike, verify:statistics.
 *
 * @example
 * findPreferenceSegments([], [], { seed: 1 }).segments; // []
 */
export function findPreferenceSegments(
  groups: readonly PreferenceGroup[],
  tables: Iterable<PreferenceTable>,
  options: PreferenceOptions,
): PreferenceSegments {
  const compared = Array.from(tables, comparePreferences);
  const shared = options.tests ?? compared.length;
  requireDomain(shared >= compared.length, 'range', 'every table is a test');
  const tests = compared.map(({ test }) => test);
  const different = compared.filter(({ test }) => test.pValue < FALSE_CLAIM / shared);
  const found = different.map(({ test }) => test);
  const significant = found.map(({ dimension }) => dimension);
  if (found.length === 0) return { tests, significant, segments: [] };
  const people = new Map(groups.map((group) => [group.id, group.people]));
  const clusters = clustersOf(found);
  const stable = stability([...clusters.values()], different, people, seededRng(options.seed));
  const segments = [...clusters.values()]
    .map((members, c): PreferenceSegment => {
      const size = sizeOf(members, people);
      return {
        groups: members,
        people: size,
        stability: stable[c] as number,
        confidence: size >= HIGH_CONFIDENCE_SIZE ? 'high' : 'medium',
        preferences: found.flatMap((test) => strongest(test, members)),
      };
    })
    .filter((segment) => segment.stability >= KEPT_STABILITY && segment.people >= SMALLEST_SEGMENT)
    .sort((a, b) => b.people - a.people || ((a.groups[0] as string) < (b.groups[0] as string) ? -1 : 1));
  return { tests, significant, segments };
}

const sizeOf = (members: Iterable<string>, people: ReadonlyMap<string, number>): number =>
  [...members].reduce((sum, id) => sum + (people.get(id) ?? 0), 0);

/** Groups that stand out, by the levels that they lean to most: equal leanings are one cluster. */
function clustersOf(tests: readonly Pick<PreferenceTest, 'dimension' | 'leans'>[]): Map<string, string[]> {
  const names = [...new Set(tests.flatMap(({ leans }) => leans.map(({ group }) => group)))].sort();
  const clusters = new Map<string, string[]>();
  for (const group of names) {
    let [statistic, degrees] = [0, 0];
    const leaning: string[] = [];
    for (const { leans, dimension } of tests) {
      const lean = leans.find((candidate) => candidate.group === group);
      if (!lean) continue;
      statistic += lean.statistic;
      degrees += lean.degrees;
      leaning.push(`${dimension}:${peak(lean.z)}`);
    }
    if (degrees === 0 || chiSquareSurvival(statistic, degrees) >= GROUP_LEVEL / names.length) continue;
    const key = leaning.join(' ');
    clusters.set(key, [...(clusters.get(key) ?? []), group]);
  }
  return clusters;
}

/** Level that a group favours most. */
function peak(z: readonly number[]): number {
  return z.reduce((best, value, level) => (value > (z[best] as number) ? level : best), 0);
}

function strongest({ dimension, leans }: PreferenceTest, members: readonly string[]): Preference[] {
  const own = leans.filter(({ group }) => members.includes(group));
  const first = own[0];
  if (!first) return [];
  // Members of a cluster peak at the same level; the evidence of several adds up.
  const level = peak(first.z);
  const at = (values: (lean: (typeof own)[number]) => readonly number[]) =>
    own.reduce((sum, lean) => sum + (values(lean)[level] as number), 0);
  return [
    {
      dimension,
      level,
      logOddsRatio: at((lean) => lean.logOddsRatio) / own.length,
      z: at((lean) => lean.z) / Math.sqrt(own.length),
    },
  ];
}

/** Mean Jaccard similarity of each cluster, counted in people, with its nearest one when leans are drawn again. */
function stability(
  clusters: readonly (readonly string[])[],
  compared: readonly ComparedPreferences[],
  people: ReadonlyMap<string, number>,
  rng: Rng,
): number[] {
  const sums = clusters.map(() => 0);
  for (let b = 0; b < BOOTSTRAPS; b++) {
    const drawn = compared.map(({ test: { dimension }, redraw }) => ({ dimension, leans: redraw(rng) }));
    const again = [...clustersOf(drawn).values()];
    clusters.forEach((members, c) => {
      const nearest = again.map((other) => {
        const both = sizeOf(
          members.filter((id) => other.includes(id)),
          people,
        );
        return both / Math.max(1, sizeOf(new Set([...members, ...other]), people));
      });
      sums[c] = (sums[c] as number) + Math.max(0, ...nearest);
    });
  }
  return sums.map((sum) => sum / BOOTSTRAPS);
}
