import fc from 'fast-check';
import { generateEvidence } from '../testing';
import {
  alwaysValidInterval,
  assessEvidence,
  assessVariants,
  claimTiers,
  contrastScore,
  type EvidenceAssessment,
  type EvidenceCell,
  type EvidenceCounts,
  type EvidenceDesign,
  evidenceDesign,
  judgeEvidence,
  logEValue,
  rejectByLogE,
  scoreCampaign,
  sendsToConfirm,
  StatsDomainError,
  textFamilies,
  textSpread,
} from '..';
import { evidenceStarts } from './evidence-starts';
import { noSums, setUnitSums } from './evidence-sums';

/** Fewer runs where every mutant costs them again: each run of a property finds most of what all find. */
const isMutated = '__stryker__' in globalThis;
let company: ReturnType<typeof generateEvidence>;
let design: EvidenceDesign;
let counts: EvidenceCounts[];
let usual: string;
const bytes = (campaigns: readonly EvidenceCounts[]): string =>
  JSON.stringify(assessEvidence(design, campaigns));
beforeAll(() => {
  company = generateEvidence(
    {
      copy: 'mixed',
      campaignSd: 0.4,
      textSd: 0.3,
      days: 84,
      sendsPerDay: 60,
      campaigns: 12,
      secondChannel: 0.3,
      effects: { 'phrase1.0': 1, 'tone.4': 0.8 },
    },
    7,
  );
  ({ design } = company);
  counts = company.counts();
  usual = bytes(counts);
});

/** A cell taken apart into two with the same key. */
function halves(cell: EvidenceCell): EvidenceCell[] {
  const half = (value: number): number => Math.floor(value / 2);
  const part = (of: (value: number) => number): EvidenceCell => ({
    ...cell,
    n: of(cell.n),
    y: of(cell.y),
    levelN: Array.from(cell.levelN, of),
    levelY: Array.from(cell.levelY, of),
  });
  return [part(half), part((value) => value - half(value))];
}

const negative = (cell: EvidenceCell): EvidenceCell => ({
  ...cell,
  n: -cell.n,
  y: -cell.y,
  levelN: Array.from(cell.levelN, (value) => -value),
  levelY: Array.from(cell.levelY, (value) => -value),
});

const anyOrder = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length });

describe('the same counts give the same bytes', () => {
  it('in whatever order campaigns and cells come', () => {
    fc.assert(
      fc.property(
        anyOrder(counts).chain((campaigns) =>
          fc.tuple(...campaigns.map((own) => anyOrder(own.cells).map((cells) => ({ ...own, cells })))),
        ),
        (campaigns) => {
          expect(bytes(campaigns)).toBe(usual);
        },
      ),
      { numRuns: isMutated ? 2 : 8, seed: 1 },
    );
  });
  it('after cells were added and taken away again, and with cells in two halves', () => {
    const later: EvidenceCell = { ...(counts[0] as EvidenceCounts).cells[0], fortnight: 3 } as EvidenceCell;
    expect(bytes(counts.map((own) => ({ ...own, cells: [later, ...own.cells, negative(later)] })))).toBe(
      usual,
    );
    expect(bytes(counts.map((own) => ({ ...own, cells: own.cells.flatMap(halves) })))).toBe(usual);
  });
  it('when the scores of campaigns are kept from an earlier run', () => {
    const kept = textFamilies(counts).map((members) => {
      const own = counts.filter(({ campaign }) => members.includes(campaign));
      return {
        campaigns: own.map((campaign) => scoreCampaign(design, campaign)),
        spread: textSpread(
          design,
          own.map(({ bins }) => bins),
        ),
      };
    });
    judgeEvidence(design, kept.slice(1));
    expect(JSON.stringify(judgeEvidence(design, kept.reverse()))).toBe(usual);
  });
  it('of variants too', () => {
    const variants = company.variantCounts();
    expect(JSON.stringify(assessVariants([...variants].reverse()))).toBe(
      JSON.stringify(assessVariants(variants)),
    );
  });
});

describe('a code says one thing', () => {
  const worlds = fc.record({
    copy: fc.constantFrom('message' as const, 'template' as const, 'mixed' as const, 'campaign' as const),
    campaignSd: fc.constantFrom(0, 0.5),
    textSd: fc.constantFrom(0, 0.5),
    days: fc.constantFrom(5, 28, 84),
    sendsPerDay: fc.constantFrom(1, 20, 80),
    campaigns: fc.constantFrom(1, 8),
    running: fc.constant(1),
    baseRate: fc.constantFrom(0.001, 0.05, 0.6),
    effect: fc.constantFrom(-2, 0, 1, 2),
    library: fc.constantFrom(0, 2),
    secondChannel: fc.constantFrom(0, 0.5),
  });
  /** Rules that one code breaks, by name: asked of thousands of codes, each is no assertion of its own. */
  const brokenBy = (own: EvidenceAssessment): string[] => {
    const { tier, low, logOr, high, liftLow, lift, liftHigh, eValue, probabilityPositive } = own;
    const sign = logOr > 0 ? probabilityPositive : 1 - probabilityPositive;
    const isConfirmed = tier === 'confirmed';
    const rules = {
      'nothing is NaN': !Object.values(own).some((value) => Number.isNaN(value)),
      'the interval holds the estimate': low <= logOr && logOr <= high,
      'the interval of the lift holds it': liftLow <= lift && lift <= liftHigh,
      'there is a tier or a reason': (own.reason === null) === (tier !== null),
      'what it goes with is the reason': (own.goesWith !== null) === (own.reason === 'goes_with'),
      'confirmed: the interval leaves out zero': !isConfirmed || low > 0 || high < 0,
      'confirmed: an e-value of 20': !isConfirmed || eValue >= 20,
      'confirmed: nothing is left to decide': !isConfirmed || own.sendsToDecide === 0,
      'claimed: it may be': tier === null || own.eligible,
      'claimed: an e-value of 2': tier === null || eValue >= 2,
      'claimed: the sign is nine in ten': tier === null || sign >= 0.9,
      'no step is claimed': own.dimension !== 'step' || tier === null,
    };
    return Object.entries(rules).flatMap(([rule, holds]) =>
      holds ? [] : [`${rule}: ${JSON.stringify(own)}`],
    );
  };
  it('tier, interval, probability and reason, and nothing is NaN', () => {
    const seen = new Set<string | null>();
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: 1e6 }), ({ effect, ...world }, seed) => {
        const one = generateEvidence({ ...world, effects: { 'tone.4': effect, 'figures.0': effect } }, seed);
        const { assessments } = assessEvidence(one.design, one.counts());
        expect(assessments).toHaveLength(one.design.codes.length);
        for (const own of assessments) seen.add(own.tier ?? own.reason);
        expect(assessments.flatMap(brokenBy)).toEqual([]);
      }),
      { numRuns: isMutated ? 6 : 60, seed: 2 },
    );
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(
        isMutated ? ['survivors'] : ['confirmed', 'few_texts', 'no_data', 'survivors', 'undecided'],
      ),
    );
    if (!isMutated) expect(seen).toContain('varies_between_campaigns');
  });
  it('zero lies outside an interval exactly if its e-value reaches the limit', () => {
    const unit = fc.record({
      z: fc.double({ min: -30, max: 30, noNaN: true }),
      v: fc.double({ min: 0.01, max: 80, noNaN: true }),
      s: fc.double({ min: 0, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 12 }),
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        (units, limit) => {
          const sums = noSums();
          const own = noSums();
          for (const { z, v, s } of units) {
            setUnitSums(own, z, v, s);
            own.forEach((value, i) => (sums[i] = (sums[i] as number) + value));
          }
          const [low, high] = alwaysValidInterval(sums, limit);
          expect(low).toBeLessThanOrEqual(high);
          expect(low > 0 || high < 0).toBe(logEValue(sums) >= limit);
        },
      ),
      { numRuns: isMutated ? 50 : 400, seed: 3 },
    );
  });
});

describe('units and starts', () => {
  it('campaigns are a family by a chain of shared texts, not by a text that is rare in one of them', () => {
    const own = (campaign: number, texts: Record<string, number>) => ({
      campaign,
      texts: { ids: Object.keys(texts), n: Object.values(texts) },
    });
    expect(
      textFamilies([own(9, { c: 5 }), own(2, { a: 5 }), own(5, { a: 1, c: 9 }), own(7, { a: 4, d: 96 })]),
    ).toEqual([[2, 5, 9], [7]]);
  });
  it('every start has its part of the bet, and the parts are one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -500, max: 2_000 }),
        fc.integer({ min: 0, max: 300 }),
        fc.boolean(),
        (begin, later, isChange) => {
          const { from, weights, reserve } = evidenceStarts(begin, isChange, begin + later);
          expect(weights.reduce((a, b) => a + b, reserve)).toBeCloseTo(1, 12);
          expect(from.length).toBeLessThanOrEqual(8);
          expect([...from].sort((a, b) => a - b)).toEqual(from);
          expect(from[0] as number).toBeLessThanOrEqual(begin + later);
          if (later < 40) expect(from[0] as number).toBeLessThanOrEqual(begin);
        },
      ),
      { seed: 4 },
    );
  });
  it('more of the same decides after as many messages as were foretold', () => {
    const sums = noSums();
    setUnitSums(sums, 12, 40, 0.02);
    const more = sendsToConfirm(sums, 1_000, 6) as number;
    const times = 1 + more / 1_000;
    const after = logEValue(sums.map((value) => value * times));
    expect(after).toBeGreaterThanOrEqual(6);
    expect(after).toBeLessThan(6.05);
  });
});

describe('bad input is refused', () => {
  const dimension = { name: 'tone', kind: 'text' as const, levels: [0, 1] };
  const code = { code: 'A', dimension: 'tone', level: 0 };
  const small = (): EvidenceDesign => evidenceDesign([dimension], [code]);
  const cell: EvidenceCell = {
    fortnight: 1,
    step: 0,
    position: 0,
    channel: 0,
    n: 2,
    y: 1,
    levels: [0, 1],
    levelN: [1, 1],
    levelY: [1, 0],
  };
  const score =
    (changed: Partial<EvidenceCell>, campaign = 1) =>
    (): unknown =>
      scoreCampaign(small(), { campaign, cells: [{ ...cell, ...changed }] });
  const faults: readonly (readonly [string, () => unknown])[] = [
    ['a level of no dimension', () => evidenceDesign([dimension], [{ ...code, level: 2 }])],
    ['a code of no dimension', () => evidenceDesign([], [code])],
    ['two codes of one name', () => evidenceDesign([dimension], [code, code])],
    ['a level in two dimensions', () => evidenceDesign([dimension, { ...dimension, name: 'b' }], [])],
    ['a fractional fortnight', score({ fortnight: 0.5 })],
    ['more replies than messages', score({ y: 3 })],
    ['a negative count', score({ n: -2 })],
    ['a fractional count', score({ levelN: [0.5, 1] })],
    ['a level with more than its cell', score({ levelN: [3, 1] })],
    ['replies that the cell does not have', score({ levelY: [1, 1] }, 1)],
    ['levels without counts', score({ levelN: [1] })],
    ['an unknown level', score({ levels: [0, 9] })],
    ['a negative campaign', score({}, -1)],
    ['bins of another design', () => textSpread(small(), [[1, 2]])],
    ['NaN as evidence', () => rejectByLogE([NaN], 0.05)],
    ['a rate of one', () => rejectByLogE([1], 1)],
    ['a score of impossible counts', () => contrastScore(1, 2, 3, 0)],
    [
      'a campaign that appears twice',
      () => textFamilies([1, 1].map((campaign) => ({ campaign, texts: { ids: [], n: [] } }))),
    ],
    ['sums of another length', () => logEValue(new Float64Array(3))],
    ['an interval that excludes everything', () => alwaysValidInterval(noSums(), -1)],
    [
      'a variant with more replies than messages',
      () => assessVariants([{ ...cell, campaign: 1, variant: 'a', n: 0 }]),
    ],
  ];
  it.each(faults)('%s', (_, run) => {
    expect(run).toThrow(StatsDomainError);
  });
  it('no hypothesis at all is no fault', () => {
    expect(claimTiers([])).toEqual([]);
  });
});
