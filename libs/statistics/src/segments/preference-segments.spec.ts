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
    const runs = '__stryker__' in globalThis ? 100 : 400;
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
  it("is Pearson's chi-square where every level was sent as often, with leans shrunk by a spread of .5", () => {
    const y = [
      [60, 25, 15],
      [30, 40, 50],
      [9, 11, 4],
    ];
    const cells = y.map((replies, g) => ({
      group: 'cab'[g] as string,
      n: replies.map(() => 1_000 * (g + 1)),
      y: replies,
    }));
    const { statistic, degrees, pValue, leans } = testPreferences({ dimension: 'tone', cells });
    const total = y.flat().reduce((a, b) => a + b);
    const shares = [0, 1, 2].map((l) => y.reduce((sum, row) => sum + (row[l] as number), 0) / total);
    const sizes = y.map((row) => row.reduce((a, b) => a + b));
    const expected = (g: number, l: number): number => (sizes[g] as number) * (shares[l] as number);
    let pearson = 0;
    y.forEach((row, g) =>
      row.forEach((count, l) => (pearson += (count - expected(g, l)) ** 2 / expected(g, l))),
    );
    expect(statistic).toBeCloseTo(pearson, 6);
    expect(degrees).toBe(4);
    expect(pValue).toBeCloseTo(Math.exp(-pearson / 2) * (1 + pearson / 2), 9);
    expect(leans.map(({ group }) => group)).toEqual(['a', 'b', 'c']);
    [1, 2, 0].forEach((g, place) =>
      [0, 1, 2].forEach((l) => {
        const score = ((y[g] as number[])[l] as number) - expected(g, l);
        const variance = expected(g, l) * (1 - (shares[l] as number));
        expect(leans[place]?.z[l]).toBeCloseTo(score / Math.sqrt(variance), 6);
        expect(leans[place]?.logOddsRatio[l]).toBeCloseTo(score / (variance + 4), 6);
      }),
    );
    // In two strata of which each has the same shares it is the same.
    const halved = cells.flatMap(({ group, n, y: replies }) =>
      [0, 1].map(() => ({ group, n, y: replies.map((count) => count / 2) })),
    );
    expect(testPreferences({ dimension: 'tone', cells: halved }).statistic).toBeCloseTo(pearson, 6);
  });
  it('says nothing of levels with fewer than ten replies, and is untested with one level or one group', () => {
    const cells = [
      { group: 'a', n: [500, 500, 500], y: [30, 10, 5] },
      { group: 'b', n: [500, 500, 500], y: [10, 30, 4] },
    ];
    const { degrees, leans } = testPreferences({ dimension: 'd', cells });
    expect(degrees).toBe(1);
    expect(leans.map(({ z, logOddsRatio }) => [z[2], logOddsRatio[2]])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const ten = cells.map((own, i) => ({ ...own, y: own.y.with(2, 5 + i * 0) }));
    expect(testPreferences({ dimension: 'd', cells: ten }).degrees).toBe(2);
    const nothing = { statistic: 0, degrees: 0, pValue: 1, leans: [] };
    expect(testPreferences({ dimension: 'd', cells: [] })).toEqual({ dimension: 'd', ...nothing });
    expect(testPreferences({ dimension: 'd', cells: [{ group: 'a', n: [90, 90], y: [20, 9] }] })).toEqual({
      ...{ dimension: 'd', ...nothing },
    });
    expect(testPreferences({ dimension: 'd', cells: cells.slice(0, 1) })).toMatchObject({
      degrees: 0,
      pValue: 1,
    });
    const silent = { group: 'c', n: [500, 500, 500], y: [0, 0, 0] };
    expect(testPreferences({ dimension: 'd', cells: [...cells, silent] })).toMatchObject({ degrees });
  });
  it('says nothing of what differs between cells alone, however clearly', () => {
    const cells = [
      { group: 'a', n: [1000, 0], y: [300, 0] },
      { group: 'a', n: [0, 1000], y: [0, 20] },
      { group: 'b', n: [1000, 0], y: [20, 0] },
      { group: 'b', n: [0, 1000], y: [0, 300] },
    ];
    expect(testPreferences({ dimension: 'd', cells })).toMatchObject({ degrees: 0, pValue: 1, leans: [] });
    // The same replies inside one cell of each group are a preference.
    const joined = [
      { group: 'a', n: [1000, 1000], y: [300, 20] },
      { group: 'b', n: [1000, 1000], y: [20, 300] },
    ];
    expect(testPreferences({ dimension: 'd', cells: joined }).pValue).toBeLessThan(1e-12);
  });
  it('counts a degree for every comparison of a group but those that all groups share', () => {
    const inFirst = ['a', 'b', 'c'].map((group) => ({ group, n: [500, 500, 0, 0], y: [30, 25, 0, 0] }));
    const inSecond = ['d', 'e', 'f'].map((group) => ({ group, n: [0, 0, 500, 500], y: [0, 0, 30, 25] }));
    // Nothing compares the first two levels with the others: 3 - 1 and 3 - 1, and not 6 - 3.
    expect(testPreferences({ dimension: 'd', cells: [...inFirst, ...inSecond] }).degrees).toBe(4);
    const between = { group: 'g', n: [0, 500, 500, 0], y: [0, 30, 25, 0] };
    expect(testPreferences({ dimension: 'd', cells: [...inFirst, ...inSecond, between] }).degrees).toBe(4);
    const both = inFirst.map((cell, at) => ({ ...cell, n: [500, 500, 500, 500], y: [30, 25, 30, 20 + at] }));
    expect(testPreferences({ dimension: 'd', cells: both }).degrees).toBe(6);
  });
  it('refuses ragged cells and more replies than sends', () => {
    const cell = { group: 'a', n: [10, 10], y: [1, 1] };
    expect(() => testPreferences({ dimension: 'd', cells: [cell, { ...cell, n: [1] }] })).toThrow(
      expect.objectContaining({ code: 'size' }),
    );
    for (const bad of [11, -1, NaN])
      expect(() => testPreferences({ dimension: 'd', cells: [{ ...cell, y: [bad, 0] }] })).toThrow(
        expect.objectContaining({ code: 'count' }),
      );
    expect(() => testPreferences({ dimension: 'd', cells: [{ ...cell, n: [Infinity, 1] }] })).toThrow(
      expect.objectContaining({ code: 'count' }),
    );
    expect(() => testPreferences({ dimension: 'd', cells: [cell, { ...cell, y: [1] }] })).toThrow(
      expect.objectContaining({ code: 'size' }),
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
  it('joins the groups that lean the same way, largest first, with the evidence of all', () => {
    const rows = { a: [60, 20, 20], b: [20, 60, 20], c: [20, 20, 60], d: [60, 20, 20] };
    const cells = Object.entries(rows).map(([group, y]) => ({ group, n: [1_000, 1_000, 1_000], y }));
    const people = { a: 4, b: 3, c: 2, d: 6 };
    const of = (sizes: Record<string, number>) =>
      findPreferenceSegments(
        Object.entries(sizes).map(([id, count]) => ({ id, people: count })),
        [{ dimension: 'tone', cells }],
        { seed: 1 },
      ).segments;
    const segments = of(people);
    expect(
      segments.map(({ groups: own, people: size, confidence }) => [own.join(''), size, confidence]),
    ).toEqual([
      ['ad', 10, 'high'],
      ['b', 3, 'medium'],
    ]);
    for (const { stability } of segments) expect(stability).toBeGreaterThan(0.9);
    // Pooled shares of .4, .3 and .3: 60 instead of 40 with a variance of 24.
    const [preference] = segments[0]?.preferences ?? [];
    expect(preference).toMatchObject({ dimension: 'tone', level: 0 });
    expect(preference?.logOddsRatio).toBeCloseTo(20 / 28, 6);
    expect(preference?.z).toBeCloseTo((2 * 20) / Math.sqrt(24) / Math.SQRT2, 6);
    expect(of({ ...people, b: 5, c: 5, d: 1 }).map(({ groups: own }) => own.join(''))).toEqual([
      'ad',
      'b',
      'c',
    ]);
    expect(of({ b: 3, c: 3 }).map(({ groups: own }) => own.join(''))).toEqual(['b', 'c']);
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
