import {
  assessVariants,
  type EvidenceCell,
  evidenceDesign,
  type EvidenceDesign,
  logEValue,
  scoreCampaign,
  TEXT_BINS,
  textFamilies,
  textSpread,
  type VariantCounts,
} from '.';
import { companyTotals, featureTotals, levelTotals } from './company-totals';
import { contrastsOf, timingContrasts } from './evidence-design';
import { noSums, setUnitSums } from './evidence-sums';

const refused = (code: string) => expect.objectContaining({ code });
const dimensions = [
  { name: 'tone', kind: 'text', levels: [0, 1, 2] },
  { name: 'question', kind: 'text', levels: [3, 4] },
  { name: 'weekday', kind: 'weekday', levels: [5, 6] },
  { name: 'channel', kind: 'channel', levels: [7, 8] },
  { name: 'step', kind: 'step', levels: [9, 10] },
] as const;
const codes = [
  { code: 'T0', dimension: 'tone', level: 0 },
  { code: 'Q', dimension: 'question', level: 3 },
  { code: 'W', dimension: 'weekday', level: 5 },
  { code: 'C', dimension: 'channel', level: 7 },
  { code: 'S', dimension: 'step', level: 9 },
];
const designOf = (): EvidenceDesign => evidenceDesign(dimensions, codes, 1);

/** A cell whose levels are given as [level, messages, replies]. */
function cellOf(
  key: Partial<EvidenceCell>,
  n: number,
  y: number,
  levels: readonly (readonly [number, number, number])[],
): EvidenceCell {
  return {
    ...{ fortnight: 0, step: 1, position: 0, channel: 0, n, y },
    ...{
      levels: levels.map(([l]) => l),
      levelN: levels.map(([, c]) => c),
      levelY: levels.map(([, , r]) => r),
    },
    ...key,
  };
}
/** Score and variance of a table, given its margins. */
const table = (na: number, ya: number, nb: number, yb: number): [number, number] => {
  const [n, y] = [na + nb, ya + yb];
  return [ya - (na * y) / n, (na * nb * y * (n - y)) / (n * n * (n - 1))];
};

describe('a design', () => {
  it('compares every level of three or more, and of two those with a code', () => {
    const design = designOf();
    expect(design.width).toBe(11);
    expect(design.features.map(({ level }) => level)).toEqual([0, 1, 2, 3, 5, 7, 9]);
    expect(design.contrasts.map(({ level, others }) => [level, ...others])).toEqual([
      ...[
        [0, 1, 2],
        [0, 2],
        [0, 1],
        [1, 0, 2],
        [1, 2],
        [1, 0],
        [2, 0, 1],
        [2, 1],
        [2, 0],
      ],
      ...[
        [3, 4],
        [5, 6],
        [7, 8],
        [9, 10],
      ],
    ]);
    expect(design.features.map((feature) => contrastsOf(feature))).toEqual([
      ...[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9], [10], [11], [12]],
    ]);
    expect(design.featureOf).toEqual([0, 3, 4, 5, 6]);
    expect(design.featuresOf).toEqual([[0, 1, 2], [3], [4], [5], [6]]);
    expect(timingContrasts(design)).toEqual([10]);
    expect(design.dayLevels).toEqual([5, 6]);
    expect(evidenceDesign([], [])).toMatchObject({ width: 0, firstStep: 0, features: [], dayLevels: [] });
    expect(
      timingContrasts(evidenceDesign([{ name: 'd', kind: 'daypart', levels: [0, 1, 2] }], [])),
    ).toHaveLength(9);
  });
  it.each([
    ['a negative level', [{ name: 'a', kind: 'text', levels: [-1] }], []],
    ['half a level', [{ name: 'a', kind: 'text', levels: [0.5] }], []],
    ['a level twice', [{ name: 'a', kind: 'text', levels: [0, 0] }], []],
    ['a name twice', [0, 1].map((l) => ({ name: 'a', kind: 'text', levels: [l] })), []],
    ['two dimensions of weekdays', [0, 1].map((l) => ({ name: `${l}`, kind: 'weekday', levels: [l] })), []],
    ['a level of another dimension', dimensions, [{ code: 'X', dimension: 'tone', level: 3 }]],
    ['an unknown dimension', dimensions, [{ code: 'X', dimension: 'x', level: 0 }]],
    ['a code twice', dimensions, [codes[0], { ...codes[1], code: 'T0' }]],
  ] as const)('refuses %s', (_name, own, of) => {
    expect(() => evidenceDesign(own as never, of as never)).toThrow(refused('range'));
  });
});

describe('scores of a campaign', () => {
  let design: EvidenceDesign;
  beforeAll(() => {
    design = designOf();
  });
  const at = (
    scores: ReturnType<typeof scoreCampaign>,
    fortnight: number,
    contrast: number,
  ): [number, number] => {
    const place = (fortnight - scores.first) * design.contrasts.length + contrast;
    return [scores.z[place] as number, scores.v[place] as number];
  };
  const expectTable = (actual: [number, number], truth: [number, number]): void => {
    expect(actual[0]).toBeCloseTo(truth[0], 8);
    expect(actual[1]).toBeCloseTo(truth[1], 8);
  };
  const cell = cellOf({}, 40, 9, [
    [0, 10, 4],
    [1, 12, 3],
    [2, 18, 2],
    [3, 25, 6],
    [4, 15, 3],
  ]);

  it('are those of a level against all others, and against all but one', () => {
    const scores = scoreCampaign(design, { campaign: 3, cells: [cell] });
    expect(scores).toMatchObject({ campaign: 3, first: 0, length: 1 });
    expectTable(at(scores, 0, 0), table(10, 4, 30, 5));
    expectTable(at(scores, 0, 1), table(10, 4, 18, 2));
    expectTable(at(scores, 0, 2), table(10, 4, 12, 3));
    expectTable(at(scores, 0, 6), table(18, 2, 22, 7));
    expectTable(at(scores, 0, 9), table(25, 6, 15, 3));
    expect(at(scores, 0, 10)).toEqual([0, 0]);
    // Mantel and Haenszel's two sums, and the messages in cells that compare.
    const [mhWith, mhWithout, compared] = scores.featureSums;
    expect(mhWith).toBeCloseTo((4 * 25) / 40, 9);
    expect(mhWithout).toBeCloseTo((5 * 6) / 40, 9);
    expect(compared).toBe(40);
    expect([...scores.levelN.slice(0, 5)]).toEqual([10, 12, 18, 25, 15]);
    expect([...scores.levelY.slice(0, 5)]).toEqual([4, 3, 2, 6, 3]);
  });

  it.each<[string, Partial<EvidenceCell>]>([
    ['fortnights', { fortnight: 2 }],
    ['steps', { step: 2 }],
    ['positions', { position: 1 }],
    ['channels', { channel: 1 }],
    ['far steps', { step: 5_000 }],
    ['fortnights before the epoch', { fortnight: -2 }],
  ])('compare inside a cell, not across %s', (_name, key) => {
    const halves = [cellOf({}, 20, 8, [[3, 20, 8]]), cellOf(key, 20, 1, [[4, 20, 1]])];
    const scores = scoreCampaign(design, { campaign: 0, cells: halves });
    expect(scores.length).toBe(Math.abs(key.fortnight ?? 0) + 1);
    expect([...scores.z, ...scores.v].every((value) => value === 0)).toBe(true);
  });

  it('compare channels by first touches, whatever the channel of a cell, and steps across steps', () => {
    const cells = [
      cellOf({ channel: 0 }, 20, 8, [
        [7, 20, 8],
        [9, 20, 8],
      ]),
      cellOf({ channel: 1 }, 30, 3, [
        [8, 30, 3],
        [9, 30, 3],
      ]),
      cellOf({ channel: 1, step: 2 }, 50, 2, [
        [8, 50, 2],
        [10, 50, 2],
      ]),
    ];
    const scores = scoreCampaign(design, { campaign: 0, cells });
    expectTable(at(scores, 0, 11), table(20, 8, 30, 3));
    // Across the steps of a channel: in the second one only.
    expectTable(at(scores, 0, 12), table(30, 3, 50, 2));
    expect([...scores.levelN.slice(7)]).toEqual([20, 30, 50, 50]);
  });

  it('are sums over cells, with those of one key added first', () => {
    const one = cellOf({ position: 1 }, 10, 3, [
      [3, 4, 2],
      [4, 6, 1],
    ]);
    const parts = [cellOf({ position: 1 }, 4, 2, [[3, 4, 2]]), cellOf({ position: 1 }, 6, 1, [[4, 6, 1]])];
    const scores = scoreCampaign(design, { campaign: 0, cells: [cell, one] });
    expectTable(
      at(scores, 0, 9),
      [0, 1].map((i) => (table(25, 6, 15, 3)[i] as number) + (table(4, 2, 6, 1)[i] as number)) as [
        number,
        number,
      ],
    );
    expect(scoreCampaign(design, { campaign: 0, cells: [...parts, cell] })).toEqual(scores);
  });

  it('count messages without replies as compared, and nothing of a campaign without messages', () => {
    const silent = cellOf({}, 10, 0, [
      [3, 4, 0],
      [4, 6, 0],
    ]);
    const scores = scoreCampaign(design, { campaign: 0, cells: [silent] });
    expect([...scores.featureSums.slice(9, 12)]).toEqual([0, 0, 10]);
    expect(scoreCampaign(design, { campaign: 0, cells: [] })).toMatchObject({ first: 0, length: 0 });
  });

  it.each<[string, EvidenceCell]>([
    ['range', cellOf({ fortnight: 0.5 }, 1, 0, [])],
    ['range', cellOf({ step: 0.5 }, 1, 0, [])],
    ['range', cellOf({ position: 0.5 }, 1, 0, [])],
    ['range', cellOf({ channel: 0.5 }, 1, 0, [])],
    ['range', cellOf({}, 1, 0, [[11, 1, 0]])],
    ['range', cellOf({}, 1, 0, [[-1, 1, 0]])],
    ['range', cellOf({}, 1, 0, [[0.5, 1, 0]])],
    ['count', cellOf({}, 1.5, 0, [])],
    ['count', cellOf({}, 1, -1, [])],
    ['count', cellOf({}, 1, 2, [])],
    ['count', cellOf({}, 2, 0.5, [])],
    ['count', cellOf({}, 2, 1, [[0, 3, 1]])],
    ['count', cellOf({}, 2, 1, [[0, 1, 2]])],
    ['count', cellOf({}, 2, 1, [[0, 2, -1]])],
    ['count', cellOf({}, 9, 1, [[0, 2, 2]])],
    ['count', cellOf({}, 9, 8, [[0, 4, 1]])],
    ['count', cellOf({}, 9, 1, [[0, 1.5, 1]])],
    [
      'count',
      cellOf({}, 9, 1, [
        [0, 5, 0],
        [1, 5, 0],
      ]),
    ],
    [
      'count',
      cellOf({}, 9, 1, [
        [0, 4, 1],
        [1, 4, 1],
      ]),
    ],
    ['size', { ...cell, levelN: [1] }],
    ['size', { ...cell, levelY: [1] }],
  ])('refuse with %s: %j', (code, bad) => {
    expect(() => scoreCampaign(design, { campaign: 0, cells: [bad] })).toThrow(refused(code));
  });
  it.each([-1, 0.5, NaN])('refuse the campaign %d', (campaign) => {
    expect(() => scoreCampaign(design, { campaign, cells: [] })).toThrow(refused('range'));
  });

  it('add up to those of the company, from one fortnight to another', () => {
    const other = [2, 4].map((fortnight) =>
      cellOf({ fortnight }, 10, 3, [
        [3, 4, 2],
        [4, 6, 1],
        [5, 5, 1],
        [6, 5, 2],
      ]),
    );
    const totals = companyTotals(design, [
      scoreCampaign(design, { campaign: 0, cells: [cell] }),
      scoreCampaign(design, { campaign: 1, cells: other }),
      scoreCampaign(design, { campaign: 2, cells: [] }),
    ]);
    expect([totals.first, totals.length]).toEqual([0, 5]);
    expect(levelTotals(design, totals, [3], 0, 4)).toEqual({ n: 33, y: 10 });
    expect(levelTotals(design, totals, [3, 4], 1, 3)).toEqual({ n: 10, y: 3 });
    expect(levelTotals(design, totals, [3], -9, 0)).toEqual({ n: 25, y: 6 });
    expect(levelTotals(design, totals, [3], 5, 9)).toEqual({ n: 0, y: 0 });
    const { mhWith, mhWithout, compared } = featureTotals(design, totals, 3, 1, 4);
    expect(mhWith).toBeCloseTo((2 * 2 * 5) / 10, 8);
    expect(mhWithout).toBeCloseTo((2 * 1 * 2) / 10, 8);
    expect(compared).toBe(20);
    expect(totals.timingZ[4]).toBeCloseTo(table(5, 1, 5, 2)[0], 8);
    expect(totals.timingV[2]).toBeCloseTo(table(5, 1, 5, 2)[1], 8);
    expect([...totals.timingZ].filter((z) => z !== 0)).toHaveLength(2);
    const later = companyTotals(design, [scoreCampaign(design, { campaign: 1, cells: other })]);
    expect([later.first, later.length]).toEqual([2, 3]);
    expect(levelTotals(design, later, [3], 3, 4)).toEqual({ n: 4, y: 2 });
    expect(levelTotals(design, later, [3], 0, 3)).toEqual({ n: 4, y: 2 });
  });
});

describe('texts on both sides', () => {
  let design: EvidenceDesign;
  beforeAll(() => {
    design = designOf();
  });
  const binsOf = (counts: readonly (readonly [level: number, bin: number, n: number])[]): Float64Array => {
    const bins = new Float64Array(11 * TEXT_BINS);
    for (const [level, bin, n] of counts) bins[level * TEXT_BINS + bin] = n;
    return bins;
  };
  it("are apart by the squared difference of their shares, with Simpson's effective numbers", () => {
    const bins = binsOf([
      [3, 0, 6],
      [3, 5, 2],
      [4, 0, 5],
      [4, 63, 5],
      [0, 1, 4],
      [1, 1, 4],
      [2, 2, 8],
    ]);
    const { distances, textsWith, textsWithout } = textSpread(design, [bins]);
    // Shares .75, .25 and none against .5, none and .5.
    expect(distances[9]).toBeCloseTo(0.25 ** 2 + 0.25 ** 2 + 0.5 ** 2, 12);
    expect(textsWith[9]).toBeCloseTo(64 / 40, 12);
    expect(textsWithout[9]).toBeCloseTo(100 / 50, 12);
    // One text against it and another twice as often: (1 - 1/3)^2 + (2/3)^2; without level 1 against another; with it alike.
    expect(distances[0]).toBeCloseTo(8 / 9, 12);
    expect(textsWithout[0]).toBeCloseTo(144 / 80, 12);
    expect(distances[1]).toBeCloseTo(2, 12);
    expect(distances[2]).toBeCloseTo(0, 12);
    expect(textsWithout[2]).toBe(1);
  });
  it('are two apart where a side has none, and nothing for days', () => {
    const { distances, textsWith } = textSpread(design, [
      binsOf([
        [3, 0, 6],
        [5, 0, 3],
      ]),
    ]);
    expect([distances[9], distances[0], distances[10]]).toEqual([2, 2, 0]);
    expect([textsWith[9], textsWith[10]]).toEqual([1, 0]);
  });
  it('of several campaigns are added, and only those that are asked for are compared', () => {
    const [one, other] = [
      binsOf([
        [3, 0, 2],
        [4, 0, 1],
      ]),
      binsOf([
        [3, 5, 2],
        [4, 0, 1],
      ]),
    ];
    const both = binsOf([
      [3, 0, 2],
      [3, 5, 2],
      [4, 0, 2],
    ]);
    expect(textSpread(design, [one, other])).toEqual(textSpread(design, [both]));
    expect(textSpread(design, [Array.from(both)])).toEqual(textSpread(design, [both]));
    expect(both[3 * TEXT_BINS]).toBe(2);
    const { distances } = textSpread(design, [both], new Set([3]));
    expect([distances[9], distances[0]]).toEqual([0.5, 0]);
  });
  it.each([
    ['size', new Float64Array(3)],
    ['count', binsOf([[0, 0, -1]])],
    ['count', binsOf([[0, 0, 0.5]])],
  ])('refuse with %s', (code, bad) => {
    expect(() => textSpread(design, [bad])).toThrow(refused(code));
  });
  const own = (campaign: number, ids: (string | number)[], n: number[]) => ({ campaign, texts: { ids, n } });
  it('make a family of campaigns from a twentieth of both on, however their counts are written', () => {
    expect(textFamilies([own(1, ['a', 'b'], [1, 19]), own(2, ['a'], [3])])).toEqual([[1, 2]]);
    expect(textFamilies([own(1, ['a', 'b'], [1, 20]), own(2, ['a'], [3])])).toEqual([[1], [2]]);
    expect(textFamilies([own(1, ['a', 'b', 'a'], [1, 38, 1]), own(2, ['a'], [3])])).toEqual([...[[1, 2]]]);
    expect(textFamilies([own(1, ['a', 'b', 'a'], [1, 60, 1]), own(2, ['a'], [3])])).toEqual([[1], [2]]);
    expect(textFamilies([own(1, ['a', 'b'], [0, 0]), own(2, ['a'], [3])])).toEqual([[1], [2]]);
    expect(textFamilies([own(1, ['a', 'a'], [0, 0]), own(2, ['a'], [3])])).toEqual([[1], [2]]);
    expect(
      textFamilies([
        own(8, ['x'], [1]),
        own(7, ['y'], [1]),
        own(3, ['x', 'z'], [1, 1]),
        own(5, ['z', 'y'], [1, 1]),
      ]),
    ).toEqual([[3, 5, 7, 8]]);
    // Ways have nothing to do with each other: number 1 of one is not number 1 of another.
    const inWays = (campaign: number, ...ids: number[][]) => ({
      campaign,
      texts: ids.map((ofWay) => ({ ids: ofWay, n: ofWay.map(() => 1) })),
    });
    expect(textFamilies([inWays(1, [1], [2]), inWays(2, [2], [1])])).toEqual([[1], [2]]);
    expect(textFamilies([inWays(1, [1], [2]), inWays(2, [3], [2])])).toEqual([[1, 2]]);
  });
  it.each<[string, (string | number)[], number[]]>([
    ['size', ['a'], []],
    ['count', ['a'], [-1]],
    ['count', ['a'], [0.5]],
  ])('refuse with %s: %j', (code, ids, n) => {
    expect(() => textFamilies([own(1, ids, n)])).toThrow(refused(code));
  });
});

describe('variants of a campaign', () => {
  const of = (variant: string, n: number, y: number, key: Partial<VariantCounts> = {}): VariantCounts => ({
    ...{ campaign: 1, fortnight: 0, step: 1, position: 0, channel: 0, variant, n, y },
    ...key,
  });
  it('are each compared with the others, by hand', () => {
    const [a, b] = assessVariants([of('b', 60, 5), of('a', 40, 10)]);
    expect([a?.variant, b?.variant]).toEqual(['a', 'b']);
    expect(a).toMatchObject({ campaign: 1, n: 40, y: 10, rate: 0.25 });
    // Odds of 5.5 to 1.5: 10 x 55 and 5 x 30 of 100.
    expect(a?.logOr).toBeCloseTo(Math.log(5.5 / 1.5), 12);
    expect(b?.logOr).toBeCloseTo(-Math.log(5.5 / 1.5), 12);
    const sums = noSums();
    const [z, v] = table(40, 10, 60, 5);
    setUnitSums(sums, z, v, 0);
    expect(a?.eValue).toBeCloseTo(Math.exp(logEValue(sums)), 9);
    expect((a?.probabilityPositive ?? 0) + (b?.probabilityPositive ?? 0)).toBeCloseTo(1, 9);
  });
  it.each<[string, Partial<VariantCounts>]>([
    ['campaigns', { campaign: 2 }],
    ['fortnights', { fortnight: 1 }],
    ['steps', { step: 2 }],
    ['positions', { position: 1 }],
    ['channels', { channel: 1 }],
  ])('are not compared across %s', (_name, key) => {
    for (const { logOr, eValue, tier, low, high } of assessVariants([of('a', 40, 10), of('b', 60, 5, key)]))
      expect({ logOr, eValue, tier, low, high }).toEqual({
        logOr: 0,
        eValue: 1,
        tier: null,
        low: -2,
        high: 2,
      });
  });
  it('of one cell are added, and come by campaign and name', () => {
    const parts = [of('z', 9, 1, { campaign: 5 }), of('a', 15, 4), of('b', 60, 5), of('a', 25, 6)];
    const assessed = assessVariants(parts);
    expect(assessed.map(({ campaign, variant }) => `${campaign}${variant}`)).toEqual(['1a', '1b', '5z']);
    expect(assessed.slice(0, 2)).toEqual(assessVariants([of('a', 40, 10), of('b', 60, 5)]));
    expect(assessVariants([of('a', 0, 0)])).toMatchObject([{ rate: 0, tier: null }]);
    const apart = [
      of('b', 9, 1, { fortnight: 1 }),
      of('a', 9, 1, { fortnight: 2 }),
      of('c', 9, 1, { campaign: 0, fortnight: 3 }),
    ];
    expect(assessVariants(apart).map(({ variant }) => variant)).toEqual(['c', 'a', 'b']);
  });
  it('are claimed where they plainly differ, and stay finite', () => {
    const plain = assessVariants([of('a', 5_000, 4_000), of('b', 5_000, 100)]);
    expect(plain.map(({ tier }) => tier)).toEqual(['confirmed', 'confirmed']);
    for (const { eValue } of plain) expect(eValue).toBeCloseTo(Math.exp(690), -290);
  });
  it.each<[string, Partial<VariantCounts>]>([
    ['count', { n: 1.5 }],
    ['count', { y: 41 }],
    ['count', { y: -1 }],
    ['count', { y: 0.5 }],
    ['range', { campaign: 0.5 }],
  ])('refuse with %s: %j', (code, change) => {
    expect(() => assessVariants([of('a', 40, 1, change)])).toThrow(refused(code));
  });
});
