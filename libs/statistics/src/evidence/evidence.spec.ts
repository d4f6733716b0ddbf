import golden from '../../fixtures/evidence.json';
import {
  alwaysValidInterval,
  assessEvidence,
  contrastScore,
  type DimensionKind,
  effectPosterior,
  type EvidenceCell,
  type EvidenceCounts,
  type EvidenceDesign,
  evidenceDesign,
  familiesOf,
  logEValue,
  rejectByLogE,
  TEXT_BINS,
} from '.';
import { noSums, setUnitSums, addSums, type EvidenceSums } from './evidence-sums';
import { CountedEvidence } from './evidence-basis';
import { featureEvidence } from './feature-evidence';
import { NO_SUPPORT } from './unit-evidence';

const sumsOf = (units: readonly { z: number; v: number; s: number }[]): EvidenceSums => {
  const total = noSums();
  const own = noSums();
  for (const { z, v, s } of units) {
    setUnitSums(own, z, v, s);
    addSums(total, own);
  }
  return total;
};
const column = (sums: EvidenceSums, part: number): number[] =>
  Array.from({ length: 6 }, (_, g) => sums[3 * g + part] as number);
const expectClose = (actual: readonly number[], truth: readonly number[], tolerance = 1e-9): void => {
  expect(actual).toHaveLength(truth.length);
  actual.forEach((value, i) => {
    const expected = truth[i] as number;
    expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
  });
};

describe('the numbers of a contrast agree with the reference', () => {
  it('scores and hypergeometric variances', () => {
    for (const { na, ya, nb, yb, z, v } of golden.scores) {
      const score = contrastScore(na, ya, nb, yb);
      expectClose([score.z, score.v], [z, v]);
    }
  });
  it.each(golden.sums.map((known, i) => [i, known] as const))('sums of units, case %i', (_, known) => {
    const sums = sumsOf(known.units);
    expectClose(column(sums, 0), known.b);
    expectClose(column(sums, 1), known.p);
    expectClose(column(sums, 2), known.q);
    expectClose([logEValue(sums), logEValue(sums, known.logEAt.logOr)], [known.logE, known.logEAt.logE]);
    const { mean, sd, probabilityPositive } = effectPosterior(sums);
    expectClose([mean, sd], [known.posterior.mean, known.posterior.sd]);
    expectClose([probabilityPositive], [known.posterior.positive], 1e-6);
    // The reference walks in steps of .02 from another point inside.
    const [low, high] = alwaysValidInterval(sums);
    if (known.interval[0] !== known.interval[1]) {
      expect(Math.abs(low - (known.interval[0] as number))).toBeLessThan(0.0201);
      expect(Math.abs(high - (known.interval[1] as number))).toBeLessThan(0.0201);
    }
  });
  it('e-BH', () => {
    for (const { logE, at05, at50 } of golden.rejections) {
      expect(rejectByLogE(logE, 0.05)).toEqual(at05);
      expect(rejectByLogE(logE, 0.5)).toEqual(at50);
    }
  });
});

let design: EvidenceDesign;
beforeAll(() => {
  design = evidenceDesign(
    golden.design.dimensions.map(({ name, kind, levels }) => ({ name, kind: kind as DimensionKind, levels })),
    golden.design.codes,
  );
});

type GoldenCompany = (typeof golden.companies)[number];

const numbersIn = (text: string): number[] => text.split(' ').map(Number);

/** Every third number, from a place on. */
const everyThird = (values: readonly number[], from: number): number[] =>
  values.filter((_, i) => i >= from && (i - from) % 3 === 0);

function cellIn(numbers: readonly number[]): EvidenceCell {
  const [, fortnight, step, position, n, y] = numbers as [number, number, number, number, number, number];
  const [levels, levelN, levelY] = [6, 7, 8].map((from) => everyThird(numbers, from)) as [
    number[],
    number[],
    number[],
  ];
  return { fortnight, step, position, channel: 0, n, y, levels, levelN, levelY };
}

function countsOf({ cells, bins, texts }: GoldenCompany): EvidenceCounts[] {
  return bins.map((sparse, campaign) => {
    const dense = new Int32Array(golden.design.width * TEXT_BINS);
    const pairs = numbersIn(sparse);
    for (let i = 0; i + 1 < pairs.length; i += 2) dense[pairs[i] as number] = pairs[i + 1] as number;
    const ids = texts[campaign] as number[];
    return {
      campaign,
      cells: cells
        .map(numbersIn)
        .filter(([c]) => c === campaign)
        .map(cellIn),
      bins: dense,
      texts: { ids, n: ids.map(() => 1) },
    };
  });
}

describe.each(golden.companies.map((company) => [company.options.regime, company] as const))(
  'a company of copy per %s agrees with the reference',
  (_, company) => {
    let counts: EvidenceCounts[];
    let basis: CountedEvidence;
    beforeAll(() => {
      counts = countsOf(company);
      basis = new CountedEvidence(design, familiesOf(design, counts), 5, []);
    });
    it('sums of every code, and how much they may carry', () => {
      design.codes.forEach(({ code }, i) => {
        const known = company.codes[i] as (typeof company.codes)[number];
        const feature = design.features[design.featureOf[i] as number] as (typeof design.features)[number];
        const own = basis.of(feature);
        const { sums } = featureEvidence(own, feature, { first: 0, asOf: 5 }, true);
        const { textsWith, textsWithout } = own.support(0) ?? NO_SUPPORT;
        expect(known.code).toBe(code);
        expectClose(column(sums[0] as EvidenceSums, 0), known.b);
        expectClose(column(sums[0] as EvidenceSums, 1), known.p);
        expectClose(column(sums[0] as EvidenceSums, 2), known.q);
        expectClose([textsWith, textsWithout], known.texts);
      });
    });
    it('e-values after siblings, half of the bet being on the first start, and who takes part', () => {
      const { assessments } = assessEvidence(design, counts);
      assessments.forEach(({ eValue, eligible }, i) => {
        const known = company.codes[i] as (typeof company.codes)[number];
        expect(eligible).toBe(known.eligible);
        expectClose([eValue], [0.5 + 0.5 * Math.exp(known.logE)]);
      });
    });
  },
);
