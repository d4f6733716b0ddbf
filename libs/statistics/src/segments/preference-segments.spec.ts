import { drawBinomial, seededRng } from '../random';
import {
  comparePreferences,
  findPreferenceSegments,
  type PreferenceCell,
  type PreferenceTable,
  testPreferences,
} from '.';

/** Three groups in two strata of four campaigns, that differ in how much is sent at which level, and in how readily they answer. */
function table(
  seed: number,
  rateOf: (group: number, level: number, campaign: number) => number,
): PreferenceTable {
  const rng = seededRng(seed);
  const cells = [0, 1, 2, 3].flatMap((campaign) =>
    ['a', 'b', 'c'].flatMap((group, g) =>
      [0, 1].map((stratum): PreferenceCell => {
        const n = [100 + 75 * g, 225 - 50 * stratum, 125 + 25 * g * stratum];
        const rates = n.map((_, level) => rateOf(g, level, campaign) * (1 + stratum));
        return {
          ...{ group, campaign, texts: stratum, n },
          y: n.map((sends, level) => drawBinomial(rng, sends, rates[level] as number)),
        };
      }),
    ),
  );
  return { dimension: 'tone', cells };
}
/** The same cells in each of some campaigns. */
const inCampaigns = (
  campaigns: number,
  cells: readonly Pick<PreferenceCell, 'group' | 'n' | 'y'>[],
): PreferenceCell[] =>
  Array.from({ length: campaigns }, (_, campaign) =>
    cells.map((cell) => ({ ...cell, campaign, texts: 0 })),
  ).flat();
const alike = (g: number, level: number): number => (0.02 + 0.01 * g) * (1 + 0.5 * level);
const groups = [
  { id: 'a', people: 30 },
  { id: 'b', people: 9 },
  { id: 'c', people: 40 },
];

describe('testPreferences', () => {
  const runs = '__stryker__' in globalThis ? 100 : 400;
  const rejected = (level: number, rateOf: Parameters<typeof table>[1]): number => {
    let count = 0;
    for (let seed = 0; seed < runs; seed++) if (testPreferences(table(seed, rateOf)).pValue < level) count++;
    return count / runs;
  };
  it('rejects equal preferences as often as it says where they are equal, or less', () => {
    expect(rejected(0.2, alike)).toBeGreaterThan(0.08);
    expect(rejected(0.05, alike)).toBeLessThan(0.085);
  });
  it('is not moved by texts that do better in one campaign, to whomever it was sent most', () => {
    // Each campaign's best level is that of the group that it was written to.
    const best = (g: number, level: number, campaign: number) =>
      alike(g, level) * (level === campaign % 3 ? 3 : 1);
    const written = (seed: number): PreferenceTable => {
      const { dimension, cells } = table(seed, best);
      return {
        dimension,
        cells: cells.map((cell) =>
          'abc'.indexOf(cell.group) === cell.campaign % 3
            ? cell
            : {
                ...cell,
                n: cell.n.map((sends) => Math.ceil(sends / 5)),
                y: cell.y.map((y) => Math.floor(y / 5)),
              },
        ),
      };
    };
    let count = 0;
    for (let seed = 0; seed < runs; seed++) if (testPreferences(written(seed)).pValue < 0.05) count++;
    expect(count / runs).toBeLessThan(0.085);
  });
  it('is not moved by groups that answer more, nor by what was sent to them', () => {
    // Odds of 1 : 9, 1 : 4 and 2 : 3 times one and two thirds: no group leans anywhere.
    const cells = inCampaigns(3, [
      { group: 'a', n: [1000, 2000, 500], y: [100, 400, 200] },
      { group: 'b', n: [2900, 140, 2600], y: [200, 20, 800] },
    ]);
    const { statistic, leans } = testPreferences({ dimension: 'tone', cells });
    expect(statistic).toBeLessThan(1e-9);
    expect(leans.flatMap(({ z }) => z).every((value) => Math.abs(value) < 1e-6)).toBe(true);
  });
  it('scores replies less those expected, where every level was sent as often and few are answered', () => {
    const y = [
      [60, 25, 15],
      [30, 40, 50],
      [9, 11, 4],
    ];
    const cells = y.map((replies, g) => ({
      group: 'cab'[g] as string,
      n: replies.map(() => 1e9 * (g + 1)),
      y: replies,
    }));
    const { statistic, degrees, leans } = testPreferences({
      dimension: 'tone',
      cells: inCampaigns(1, cells),
    });
    const total = y.flat().reduce((a, b) => a + b);
    const shares = [0, 1, 2].map((l) => y.reduce((sum, row) => sum + (row[l] as number), 0) / total);
    const sizes = y.map((row) => row.reduce((a, b) => a + b));
    const expected = (g: number, l: number): number => (sizes[g] as number) * (shares[l] as number);
    expect(degrees).toBe(4);
    expect(leans.map(({ group }) => group)).toEqual(['a', 'b', 'c']);
    [1, 2, 0].forEach((g, place) =>
      [0, 1, 2].forEach((l) => {
        const { z, logOddsRatio } = leans[place] as (typeof leans)[number];
        const score = ((y[g] as number[])[l] as number) - expected(g, l);
        expect(Math.sign(z[l] as number)).toBe(Math.sign(score));
        expect(Math.sign(logOddsRatio[l] as number)).toBe(Math.sign(score));
        // Of the hypergeometric distribution; here the variance is that of the replies that were observed.
        const others = 1 - (sizes[g] as number) / total;
        const variance = (expected(g, l) * (1 - (shares[l] as number)) * others * total) / (total - 1);
        expect((z[l] as number) / (score / Math.sqrt(variance))).toBeGreaterThan(0.8);
        expect((z[l] as number) / (score / Math.sqrt(variance))).toBeLessThan(1.2);
      }),
    );
    // Twice the same says it twice.
    const twice = testPreferences({ dimension: 'tone', cells: inCampaigns(2, cells) });
    expect([twice.statistic, twice.degrees]).toEqual([expect.closeTo(2 * statistic, 6), 4]);
  });
  it('takes campaigns that differ among themselves for as much less', () => {
    const even = [
      { group: 'a', n: [1000, 1000], y: [30, 10] },
      { group: 'b', n: [1000, 1000], y: [10, 30] },
    ];
    const same = testPreferences({ dimension: 'd', cells: inCampaigns(6, even) });
    expect(same.dispersion).toEqual({ factor: 1, units: expect.closeTo(5, 9) as number });
    expect(same.pValue).toBeLessThan(0.001);
    // The same sums, but four campaigns lean one way and two as far the other.
    const turned = inCampaigns(6, even).map((cell) => ({
      ...cell,
      y:
        cell.campaign === 0
          ? [20, 20]
          : cell.campaign < 4
            ? cell.y.map((k) => (k > 20 ? 40 : 0))
            : cell.y.toReversed(),
    }));
    const { statistic, dispersion, pValue, leans } = testPreferences({ dimension: 'd', cells: turned });
    // By chance alone one company in ten thousand would have as much.
    expect(statistic).toBeGreaterThan(15.2);
    expect(dispersion.factor).toBeGreaterThan(8);
    expect(pValue).toBeGreaterThan(0.05);
    expect(leans[0]?.statistic).toBeCloseTo(statistic / dispersion.factor, 6);
  });
  it('weighs campaigns by how much they say, where they differ among themselves', () => {
    const sizes = [5, 1, 1, 1];
    const cells = sizes.flatMap((size, campaign) => {
      const y = (campaign === 0 ? [30, 20] : [20, 30]).map((replies) => replies * size);
      const cell = { campaign, texts: 0, n: [1e9, 1e9] };
      return [
        { ...cell, group: 'a', y },
        { ...cell, group: 'b', y: y.toReversed() },
      ];
    });
    // Of the hypergeometric distribution of each campaign: a quarter of its replies are expected in each cell.
    const scores = sizes.map((size, campaign) => 5 * size * (campaign === 0 ? 1 : -1));
    const variances = sizes.map((size) => (100 * size) / 16 / (1 - 1 / (100 * size)));
    const sum = (values: readonly number[]) => values.reduce((a, b) => a + b);
    const lean = sum(scores) / sum(variances);
    const around = sum(scores.map((score, c) => (score - lean * (variances[c] as number)) ** 2));
    const chance = sum(variances) - sum(variances.map((variance) => variance ** 2)) / sum(variances);
    const { dispersion } = testPreferences({ dimension: 'd', cells });
    expect(around / chance).toBeGreaterThan(2);
    expect(dispersion.factor / (around / chance)).toBeGreaterThan(0.85);
    expect(dispersion.factor / (around / chance)).toBeLessThan(1.15);
    // As many as campaigns of one size that say as much together: 8 squared of 25 + 3.
    expect(dispersion.units).toBeCloseTo(64 / 28 - 1, 1);
  });
  it('shrinks what few replies say, by how uncertain it is', () => {
    const of = (times: number) => {
      const cells = [
        { group: 'a', n: [1e6, 1e6], y: [6 * times, 4 * times] },
        { group: 'b', n: [1e6, 1e6], y: [4 * times, 6 * times] },
      ];
      const [lean] = testPreferences({ dimension: 'd', cells: inCampaigns(4, cells) }).leans;
      return { logOddsRatio: lean?.logOddsRatio[0] ?? NaN, z: lean?.z[0] ?? NaN };
    };
    const [few, many] = [of(1), of(10_000)];
    // A normal prior of that spread around no preference, and the standard error that z implies.
    const [prior, error] = [0.5, many.logOddsRatio / few.z];
    expect(few.logOddsRatio / many.logOddsRatio).toBeCloseTo(prior ** 2 / (prior ** 2 + error ** 2), 1);
    expect(few.logOddsRatio / many.logOddsRatio).toBeLessThan(0.75);
  });
  it('takes reasons that all texts of a campaign share for those of the campaign, and not of its texts', () => {
    const towards = (campaign: number) => (campaign < 4 ? [30, 10] : [10, 30]);
    const cells = Array.from({ length: 6 }, (_, campaign) =>
      [0, 1, 2, 3].flatMap((texts) => [
        { group: 'a', campaign, texts, n: [1000, 1000], y: towards(campaign) },
        { group: 'b', campaign, texts, n: [1000, 1000], y: towards(campaign).toReversed() },
      ]),
    ).flat();
    const { statistic, dispersion, pValue } = testPreferences({ dimension: 'd', cells });
    expect(statistic).toBeGreaterThan(15.2);
    expect(pValue).toBeGreaterThan(0.05);
    // As many comparisons, each a campaign of its own.
    const apart = cells.map((cell) => ({ ...cell, campaign: 4 * cell.campaign + cell.texts }));
    const asTexts = testPreferences({ dimension: 'd', cells: apart });
    expect(asTexts.statistic).toBeCloseTo(statistic, 9);
    expect(dispersion.factor / asTexts.dispersion.factor).toBeGreaterThan(3);
    expect(asTexts.dispersion.units / dispersion.units).toBeGreaterThan(2);
  });
  it('says nothing from one campaign alone, however clearly', () => {
    const cells = [
      { group: 'a', n: [1000, 1000], y: [300, 20] },
      { group: 'b', n: [1000, 1000], y: [20, 300] },
    ];
    const { statistic, pValue } = testPreferences({ dimension: 'd', cells: inCampaigns(1, cells) });
    expect(statistic).toBeGreaterThan(100);
    expect(pValue).toBe(1);
    // Other texts of the same campaign are not another campaign.
    const texts = [0, 1].flatMap((at) => inCampaigns(1, cells).map((cell) => ({ ...cell, texts: at })));
    expect(testPreferences({ dimension: 'd', cells: texts }).pValue).toBe(1);
    expect(testPreferences({ dimension: 'd', cells: inCampaigns(6, cells) }).pValue).toBeLessThan(0.001);
  });
  it('says nothing of levels with fewer than ten replies, and is untested with one level or one group', () => {
    const cells = [
      { group: 'a', n: [500, 500, 500], y: [15, 5, 2.5] },
      { group: 'b', n: [500, 500, 500], y: [5, 15, 2] },
    ];
    const { degrees, leans } = testPreferences({ dimension: 'd', cells: inCampaigns(2, cells) });
    expect(degrees).toBe(1);
    expect(leans.map(({ z, logOddsRatio }) => [z[2], logOddsRatio[2]])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const ten = cells.map((own) => ({ ...own, y: own.y.with(2, 2.5) }));
    expect(testPreferences({ dimension: 'd', cells: inCampaigns(2, ten) }).degrees).toBe(2);
    const nothing = { dimension: 'd', statistic: 0, degrees: 0, pValue: 1, leans: [] };
    const of = (some: readonly Pick<PreferenceCell, 'group' | 'n' | 'y'>[]) =>
      testPreferences({ dimension: 'd', cells: inCampaigns(2, some) });
    expect(of([])).toMatchObject(nothing);
    expect(of([{ group: 'a', n: [90, 90], y: [20, 9] }])).toMatchObject(nothing);
    expect(of(cells.slice(0, 1))).toMatchObject(nothing);
    const silent = { group: 'c', n: [500, 500, 500], y: [0, 0, 0] };
    expect(of([...cells, silent])).toMatchObject({ degrees });
  });
  it('says nothing of what differs between campaigns, texts or cells alone, however clearly', () => {
    const cells = [
      { group: 'a', n: [1000, 0], y: [300, 0] },
      { group: 'a', n: [0, 1000], y: [0, 20] },
      { group: 'b', n: [1000, 0], y: [20, 0] },
      { group: 'b', n: [0, 1000], y: [0, 300] },
    ];
    const nothing = { degrees: 0, pValue: 1, leans: [] };
    expect(testPreferences({ dimension: 'd', cells: inCampaigns(3, cells) })).toMatchObject(nothing);
    // The same replies inside one cell of each group are a preference, but not in texts or campaigns of their own.
    const joined = [
      { group: 'a', n: [1000, 1000], y: [300, 20] },
      { group: 'b', n: [1000, 1000], y: [20, 300] },
    ];
    const together = inCampaigns(9, joined);
    expect(testPreferences({ dimension: 'd', cells: together }).pValue).toBeLessThan(1e-6);
    for (const apart of [
      together.map((cell) => ({ ...cell, texts: cell.group === 'a' ? 0 : 1 })),
      together.map((cell) => ({ ...cell, campaign: cell.campaign + (cell.group === 'a' ? 0 : 9) })),
    ])
      expect(testPreferences({ dimension: 'd', cells: apart })).toMatchObject(nothing);
  });
  it('counts a degree for every comparison of a group but those that all groups share', () => {
    const inFirst = ['a', 'b', 'c'].map((group) => ({ group, n: [500, 500, 0, 0], y: [30, 25, 0, 0] }));
    const inSecond = ['d', 'e', 'f'].map((group) => ({ group, n: [0, 0, 500, 500], y: [0, 0, 30, 25] }));
    const degrees = (cells: readonly Pick<PreferenceCell, 'group' | 'n' | 'y'>[]) =>
      testPreferences({ dimension: 'd', cells: inCampaigns(1, cells) }).degrees;
    // Nothing compares the first two levels with the others: 3 - 1 and 3 - 1, and not 6 - 3.
    expect(degrees([...inFirst, ...inSecond])).toBe(4);
    const between = { group: 'g', n: [0, 500, 500, 0], y: [0, 30, 25, 0] };
    expect(degrees([...inFirst, ...inSecond, between])).toBe(4);
    expect(
      degrees(inFirst.map((cell, at) => ({ ...cell, n: [500, 500, 500, 500], y: [30, 25, 30, 20 + at] }))),
    ).toBe(6);
  });
  it('refuses ragged cells and more replies than sends', () => {
    const cell = { group: 'a', campaign: 0, texts: 0, n: [10, 10], y: [1, 1] };
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
    const cells = inCampaigns(
      4,
      Object.entries(rows).map(([group, y]) => ({ group, n: [1_000, 1_000, 1_000], y })),
    );
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
    const [preference] = segments[0]?.preferences ?? [];
    expect(preference).toMatchObject({ dimension: 'tone', level: 0 });
    // 60 replies where the others' have 33: an odds ratio of 3, shrunk a little, with a standard error of .12.
    expect(preference?.logOddsRatio).toBeGreaterThan(0.5);
    expect(preference?.logOddsRatio).toBeLessThan(Math.log(3));
    expect(preference?.z).toBeGreaterThan(6);
    expect(of({ ...people, b: 5, c: 5, d: 1 }).map(({ groups: own }) => own.join(''))).toEqual([
      'ad',
      'b',
      'c',
    ]);
    expect(of({ b: 3, c: 3 }).map(({ groups: own }) => own.join(''))).toEqual(['b', 'c']);
    expect(of({ a: 3, b: 9, c: 5, d: 1 }).map(({ groups: own }) => own.join(''))).toEqual(['b', 'c', 'ad']);
  });
  it('leaves out a group that does not stand out by itself', () => {
    const clear = { a: [60, 20, 20], b: [20, 60, 20], c: [20, 20, 60] };
    const cells = inCampaigns(4, [
      ...Object.entries(clear).map(([group, y]) => ({ group, n: [1_000, 1_000, 1_000], y })),
      { group: 'd', n: [100, 100, 100], y: [4, 3, 3] },
    ]);
    const people = ['a', 'b', 'c', 'd'].map((id) => ({ id, people: 9 }));
    const { segments } = findPreferenceSegments(people, [{ dimension: 'tone', cells }], { seed: 1 });
    expect(segments.map(({ groups: own }) => own.join('')).sort()).toEqual(['a', 'b', 'c']);
  });
  it('counts in people how often a segment is found again, and keeps none that falls apart', () => {
    /** Groups that shun the third level, and that only chance draws to the first or the second. */
    const of = (wavering: readonly string[], people: number) => {
      const cells = inCampaigns(4, [
        { group: 'a', n: [1_000, 1_000, 1_000], y: [60, 20, 40] },
        { group: 'b', n: [1_000, 1_000, 1_000], y: [20, 60, 40] },
        ...wavering.map((group) => ({ group, n: [1_000, 1_000, 1_000], y: [50, 49, 10] })),
      ]);
      const all = ['a', 'b'].map((id) => ({ id, people })).concat(wavering.map((id) => ({ id, people: 10 })));
      return findPreferenceSegments(all, [{ dimension: 'tone', cells }], { seed: 1 }).segments;
    };
    const [whole] = of(['f'], 30).filter(({ groups: own }) => own.includes('f'));
    // Half of the time without its ten of forty people.
    expect(whole?.people).toBe(40);
    expect(whole?.stability).toBeGreaterThan(0.8);
    expect(whole?.stability).toBeLessThan(0.96);
    const left = of(['f', 'g', 'h', 'i'], 1).map(({ groups: own }) => own.join(''));
    expect(left.filter((names) => /[f-i]/.test(names))).toEqual([]);
  });
  it('finds nothing where all are alike, and nothing too small to show', () => {
    expect(findPreferenceSegments(groups, [table(8, alike)], { seed: 1 }).segments).toEqual([]);
    const few = groups.map((group) => ({ ...group, people: 2 }));
    expect(findPreferenceSegments(few, [table(7, leaning)], { seed: 1 }).segments).toEqual([]);
  });
  it('is the same in any order, and again', () => {
    const { dimension, cells: whole } = table(7, leaning);
    // Several cells of one group, campaign and texts, some with the same sends.
    const cells = whole.flatMap(({ n, y, ...cell }, at) => {
      const first = n.map((sends) => (at % 2 === 0 ? sends / 2 : Math.floor(sends / 3)));
      const own = y.map((replies, level) => Math.min(Math.floor(replies / 4), first[level] as number));
      const rest = (of: readonly number[], part: readonly number[]) =>
        of.map((all, l) => all - (part[l] as number));
      return [
        { ...cell, n: first, y: own },
        { ...cell, n: rest(n, first), y: rest(y, own) },
      ];
    });
    const found = findPreferenceSegments(groups, [{ dimension, cells }], { seed: 1 });
    expect(found.segments).not.toEqual([]);
    const reversed = { dimension, cells: cells.toReversed() };
    expect(findPreferenceSegments(groups.toReversed(), [reversed], { seed: 1 })).toEqual(found);
    expect(findPreferenceSegments(groups, [{ dimension, cells }], { seed: 1 })).toEqual(found);
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

describe('comparePreferences', () => {
  it('draws leans again around those observed, as far as they are uncertain', () => {
    const tilted = table(7, (g, level) => alike(g, level) * (g === 1 && level === 0 ? 3 : 1));
    const { test, redraw } = comparePreferences(tilted);
    expect(test).toEqual(testPreferences(tilted));
    const rng = seededRng(3);
    const draws = Array.from({ length: 2_000 }, () => redraw(rng));
    test.leans.forEach(({ group, z }, g) =>
      z.forEach((observed, level) => {
        const drawn = draws.map((leans) => leans[g]?.z[level] ?? NaN);
        const mean = drawn.reduce((a, b) => a + b) / drawn.length;
        const variance = drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / drawn.length;
        expect([group, Math.abs(mean - observed) < 0.1]).toEqual([group, true]);
        expect(variance).toBeGreaterThan(0.9);
        expect(variance).toBeLessThan(1.1);
      }),
    );
    expect(comparePreferences({ dimension: 'tone', cells: [] }).redraw(rng)).toEqual([]);
  });
});
