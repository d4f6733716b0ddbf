import { drawBinomial, seededRng } from '../random';
import { findPreferenceSegments, type PreferenceCell, type PreferenceTable, testPreferences } from '.';

/** Three groups in two strata that differ in how much is sent at which level, and in how readily they answer. */
function table(seed: number, rateOf: (group: number, level: number) => number): PreferenceTable {
  const rng = seededRng(seed);
  const cells = ['a', 'b', 'c'].flatMap((group, g) =>
    [0, 1].map((stratum): PreferenceCell => {
      const n = [400 + 300 * g, 900 - 200 * stratum, 500 + 100 * g * stratum];
      return {
        group,
        n,
        y: n.map((sends, level) => drawBinomial(rng, sends, rateOf(g, level) * (1 + stratum))),
      };
    }),
  );
  return { dimension: 'tone', cells };
}
const alike = (g: number, level: number): number => (0.02 + 0.01 * g) * (1 + 0.5 * level);
const groups = [
  { id: 'a', people: 30 },
  { id: 'b', people: 9 },
  { id: 'c', people: 40 },
];

describe('testPreferences', () => {
  it('rejects equal preferences as often as it says where they are equal', () => {
    const runs = 400;
    let rejected = 0;
    for (let seed = 0; seed < runs; seed++) if (testPreferences(table(seed, alike)).pValue < 0.05) rejected++;
    expect(rejected / runs).toBeGreaterThan(0.02);
    expect(rejected / runs).toBeLessThan(0.085);
  });
  it('is not moved by groups that answer more, nor by what was sent to them', () => {
    // Exactly the common preference: no group leans anywhere.
    const cells = [1, 2].map((g) => ({
      group: `g${g}`,
      n: [1000 * g, 2000, 500],
      y: [20 * g * g, 80 * g, 10 * g],
    }));
    const { statistic, leans } = testPreferences({ dimension: 'tone', cells });
    expect(statistic).toBeLessThan(1e-9);
    expect(leans.flatMap(({ z }) => z).every((value) => Math.abs(value) < 1e-6)).toBe(true);
  });
  it('is the chi-square of a two by two table with equal sends: twice (30 - 20)^2 / 10 = 20', () => {
    const { statistic, degrees } = testPreferences({
      dimension: 'tone',
      cells: [
        { group: 'a', n: [1000, 1000], y: [30, 10] },
        { group: 'b', n: [1000, 1000], y: [10, 30] },
      ],
    });
    // Each group: (30 - 20)^2 over the variance 40 / 4 = 10.
    expect(statistic).toBeCloseTo(20, 8);
    expect(degrees).toBe(1);
  });
  it('refuses ragged cells and more replies than sends', () => {
    const cell = { group: 'a', n: [10, 10], y: [1, 1] };
    expect(() => testPreferences({ dimension: 'd', cells: [cell, { ...cell, n: [1] }] })).toThrow(
      expect.objectContaining({ code: 'size' }),
    );
    expect(() => testPreferences({ dimension: 'd', cells: [{ ...cell, y: [11, 0] }] })).toThrow(
      expect.objectContaining({ code: 'count' }),
    );
  });
});

describe('findPreferenceSegments', () => {
  const leaning = (g: number, level: number): number => alike(g, level) * (g === 1 && level === 0 ? 3 : 1);
  it('finds the group that answers to something else', () => {
    const { segments, significant } = findPreferenceSegments(groups, [table(7, leaning)], { seed: 1 });
    expect(significant).toEqual(['tone']);
    const b = segments.find((segment) => segment.groups.includes('b'));
    expect(b).toMatchObject({
      people: 9,
      confidence: 'medium',
      preferences: [{ dimension: 'tone', level: 0 }],
    });
    expect(b?.preferences[0]?.logOddsRatio).toBeGreaterThan(0.3);
  });
  it('finds nothing where all are alike, and nothing too small to show', () => {
    expect(findPreferenceSegments(groups, [table(8, alike)], { seed: 1 }).segments).toEqual([]);
    const few = groups.map((group) => ({ ...group, people: 2 }));
    expect(findPreferenceSegments(few, [table(7, leaning)], { seed: 1 }).segments).toEqual([]);
  });
  it('is the same in any order, and again', () => {
    const { dimension, cells } = table(7, leaning);
    const reversed = { dimension, cells: [...cells].reverse() };
    expect(findPreferenceSegments([...groups].reverse(), [reversed], { seed: 1 })).toEqual(
      findPreferenceSegments(groups, [table(7, leaning)], { seed: 1 }),
    );
  });
  it('shares the chance of a false claim among all tests', () => {
    expect(findPreferenceSegments(groups, [table(7, leaning)], { seed: 1, tests: 1e30 }).segments).toEqual(
      [],
    );
    expect(() => findPreferenceSegments(groups, [table(7, leaning)], { seed: 1, tests: 0 })).toThrow(
      expect.objectContaining({ code: 'range' }),
    );
  });
});
