import fc from 'fast-check';
import golden from '../../fixtures/patterns.json';
import { seededRng } from '../random';
import { generateCohorts, planCompany } from '../testing';
import {
  assessPatterns,
  benjaminiHochberg,
  type Cohort,
  eBenjaminiHochberg,
  eValue,
  type LogisticPenalty,
  mantelHaenszel,
  type PatternAssessment,
  penalisedLogistic,
  sendsToDecide,
  shrinkEffects,
} from '.';

const relative = (actual: number, truth: number): number => Math.abs(actual / truth - 1);

describe('estimators agree with other implementations', () => {
  it('Mantel-Haenszel, Robins-Breslow-Greenland and CMH with statsmodels', () => {
    for (const { tables, logOr, se, chiSquare, pValue } of golden.mantelHaenszel) {
      const result = mantelHaenszel(tables);
      expect(Math.abs(result.logOr - logOr)).toBeLessThan(1e-10);
      expect(relative(result.se as number, se)).toBeLessThan(1e-10);
      expect(relative(result.chiSquare, chiSquare)).toBeLessThan(1e-9);
      expect(relative(result.pValue, pValue)).toBeLessThan(1e-9);
    }
  });
  it('Benjamini-Hochberg with statsmodels', () => {
    for (const { p, q } of golden.benjaminiHochberg) {
      benjaminiHochberg(p).forEach((value, i) => expect(relative(value, q[i] as number)).toBeLessThan(1e-12));
    }
  });
  it('log-F(1,1) logistic regression with the optimum found by SciPy', () => {
    for (const { x, n, y, offset, coefficients } of golden.penalisedLogistic) {
      const penalties: LogisticPenalty[] = coefficients.map((_, j) => (j === 0 ? 'none' : 'logF'));
      const fitted = penalisedLogistic({ x, n, y, offset, penalties });
      expect(fitted.converged).toBe(true);
      fitted.coefficients.forEach((b, j) =>
        expect(Math.abs(b - (coefficients[j] as number))).toBeLessThan(1e-6),
      );
    }
  });
  it('e-values with the products written out in mpmath', () => {
    for (const { blocks, eValue: truth } of golden.eValue)
      expect(relative(eValue(blocks), truth)).toBeLessThan(1e-9);
  });
});

describe('the e-process is valid', () => {
  it('has expectation at most one over all outcomes of a block, whatever the true and the predicted rate', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    for (const truth of [0.01, 0.05, 0.3, 0.7]) {
      for (const predictedRate of [0.005, 0.05, 0.4]) {
        let expectation = 0;
        const [na, nb] = [5, 8];
        for (let ya = 0; ya <= na; ya++) {
          for (let yb = 0; yb <= nb; yb++) {
            const chance =
              choose(na, ya) * choose(nb, yb) * truth ** (ya + yb) * (1 - truth) ** (na + nb - ya - yb);
            expectation += chance * eValue([{ na, ya, nb, yb, predictedRate }]);
          }
        }
        expect(expectation).toBeLessThanOrEqual(1 + 1e-12);
      }
    }
  });
  it('is the same for both sides of a contrast', () => {
    const one = eValue([{ na: 20, ya: 5, nb: 40, yb: 2, predictedRate: 0.08 }]);
    expect(relative(eValue([{ na: 40, ya: 2, nb: 20, yb: 5, predictedRate: 0.08 }]), one)).toBeLessThan(
      1e-12,
    );
  });
  it('e-BH rejects all that reach m / (alpha k) and nothing else', () => {
    // thresholds 4 / (.05 k): 80, 40, 26.7, 20
    expect(eBenjaminiHochberg([100, 41, 26, 0.5], 0.05)).toEqual([true, true, false, false]);
    expect(eBenjaminiHochberg([27, 79, 27, 0.5], 0.05)).toEqual([true, true, true, false]);
    expect(eBenjaminiHochberg([], 0.05)).toEqual([]);
    expect(eBenjaminiHochberg([Infinity], 0.05)).toEqual([true]);
  });
});

const planted = { 'tone.questioning': 0.8, 'social_proof.present': 0.7, 'key_phrase.quick_question': -0.8 };
const rng = seededRng(21);
const model = planCompany({ baseRate: 0.06, effects: planted, strataEffects: ['position'] }, rng);
const cohorts = generateCohorts(model, { days: 120, sendsPerDay: 60 }, rng);
const results = assessPatterns({ cohorts, codes: model.codes });
const find = (from: readonly PatternAssessment[], code: string): PatternAssessment =>
  from.find((r) => r.code === code) as PatternAssessment;

describe('assessPatterns on a company with planted effects', () => {
  it.each(Object.entries(planted))('confirms %s with the right sign and size', (code, effect) => {
    const result = find(results, code);
    expect(result.evidenceTier).toBe('confirmed');
    expect(Math.sign(result.lift)).toBe(Math.sign(effect));
    expect(Math.abs(result.rawLogOr - effect)).toBeLessThan(3 * (result.rawSe as number));
    expect(Math.abs((result.crossCheckLogOr as number) - result.rawLogOr)).toBeLessThan(0.25);
    expect(result.sendsToDecide).toBe(0);
  });
  it('confirms nothing in dimensions without an effect', () => {
    const wrong = results.filter(
      ({ tier, dimension }) =>
        tier === 3 && !['tone', 'social_proof', 'key_phrase', 'step'].includes(dimension),
    );
    expect(wrong).toEqual([]);
  });
  it('sorts by tier, then by e-value', () => {
    for (let i = 1; i < results.length; i++) {
      const [one, two] = [results[i - 1] as PatternAssessment, results[i] as PatternAssessment];
      expect(one.tier > two.tier || (one.tier === two.tier && one.eValue >= two.eValue)).toBe(true);
    }
  });
  it('gives the same bytes again, from a clone too', () => {
    expect(JSON.stringify(assessPatterns(structuredClone({ cohorts, codes: model.codes })))).toBe(
      JSON.stringify(results),
    );
  });
  it('tests the frozen counts and estimates from the corrected ones', () => {
    const corrected = cohorts.map((c, i): Cohort => (i === 0 && c.totalY < c.totalN ? addReply(c) : c));
    const again = assessPatterns({ cohorts, estimateCohorts: corrected, codes: model.codes });
    for (const { code, eValue: e } of again) expect(e).toBe(find(results, code).eValue);
    expect(again.some((r) => r.rawLogOr !== find(results, r.code).rawLogOr)).toBe(true);
  });
  it('later days move no block that was closed before', () => {
    // The weekday's blocks are weeks: day 70 closes the tenth.
    const day = (cohorts[0] as Cohort).day + 70;
    const upTo = (d: number): Cohort[] => cohorts.filter((c) => c.day < d);
    const then = assessPatterns({ cohorts: upTo(day), codes: model.codes });
    const withFutureHidden = assessPatterns({ cohorts: upTo(day), codes: model.codes, asOfDay: day - 1 });
    expect(withFutureHidden).toEqual(then);
  });
});

/** One more reply in every level that has room for it. */
function addReply(c: Cohort): Cohort {
  const y = Int32Array.from({ length: c.y.length }, (_, l) =>
    Math.min(c.n[l] as number, (c.y[l] as number) + ((c.n[l] as number) === c.totalN ? 1 : 0)),
  );
  y[0] = Math.min(c.n[0] as number, (c.y[0] as number) + 1);
  return { ...c, totalY: c.totalY + 1, y };
}

describe('tier, interval and probability never contradict one another', () => {
  const level = fc.record({
    n: fc.integer({ min: 0, max: 60 }),
    share: fc.double({ min: 0, max: 0.4, noNaN: true }),
  });
  const company = fc.array(fc.array(level, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 40 });
  it('for any counts', () => {
    fc.assert(
      fc.property(company, (days) => {
        const made = days.map((levels, i): Cohort => {
          const n = levels.map((l) => l.n);
          const y = levels.map((l) => Math.floor(l.n * l.share));
          const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
          return {
            day: 100 + i,
            stratum: { channel: 0, step: i % 2, position: 0 },
            totalN: sum(n),
            totalY: sum(y),
            n,
            y,
          };
        });
        const codes = [0, 1, 2, 3].map((l) => ({
          code: `c${l}`,
          dimension: 'd',
          levels: [l],
          dimensionLevels: [0, 1, 2, 3],
        }));
        for (const r of assessPatterns({ cohorts: made, codes })) {
          const sign = Math.max(r.probabilityPositive, 1 - r.probabilityPositive);
          expect(r.low > 0 || r.high < 0).toBe(sign > 0.975);
          if (r.tier === 3) expect(r.low > 0 || r.high < 0).toBe(true);
          if (r.tier >= 2) expect(sign).toBeGreaterThanOrEqual(0.95);
          if (r.tier >= 1) expect(sign).toBeGreaterThanOrEqual(0.9);
          expect(r.evidenceTier === null).toBe(r.tier === 0);
          expect(Math.sign(r.lift) * Math.sign(r.logOr)).toBeGreaterThanOrEqual(0);
          for (const value of Object.values(r))
            if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
        }
      }),
      { seed: 22, numRuns: 150 },
    );
  });
});

describe('edges', () => {
  it('a code without data has no tier, no lift and an even chance', () => {
    const [only] = assessPatterns({
      cohorts: [],
      codes: [{ code: 'x', dimension: 'd', levels: [0], dimensionLevels: [0, 1] }],
    });
    expect(only).toMatchObject({
      tier: 0,
      lift: 0,
      probabilityPositive: 0.5,
      eligible: false,
      sendsToDecide: null,
      rawSe: null,
    });
  });
  it('a weekday contrast compares days across a week, even for a company with hundreds of sends a day', () => {
    const busy = generateCohorts(model, { days: 28, sendsPerDay: 600 }, seededRng(23));
    const weekday = model.codes.filter(({ dimension }) => dimension === 'weekday');
    expect(find(assessPatterns({ cohorts: busy, codes: weekday }), 'weekday.monday').eligible).toBe(true);
  });
  it('an interval widens as the ensemble says less, and shrinks towards zero', () => {
    const [strong] = shrinkEffects([
      { logOr: 1, se: 0.1 },
      { logOr: -0.9, se: 0.1 },
    ]);
    const [weak] = shrinkEffects([
      { logOr: 1, se: 0.6 },
      { logOr: 0, se: 0.1 },
      { logOr: 0.05, se: 0.1 },
    ]);
    expect(strong?.mean).toBeGreaterThan(0.9);
    expect(weak?.mean).toBeLessThan(0.3);
  });
  it('needs fewer sends for a larger effect', () => {
    const outlook = { n: 500, nOther: 1500, rate: 0.05, se: 0.2, logEValue: 2, logThreshold: 6.9 };
    expect(sendsToDecide({ ...outlook, logOr: 0.9 })).toBeLessThan(
      sendsToDecide({ ...outlook, logOr: 0.45 }) as number,
    );
  });
  const base: Cohort = {
    day: 1,
    stratum: { channel: 0, step: 0, position: 0 },
    totalN: 2,
    totalY: 1,
    n: [2, 0],
    y: [1, 0],
  };
  it.each([
    ['order', [{ ...base, day: 2 }, base]],
    ['order', [{ ...base, day: 1.5 }]],
    ['count', [{ ...base, totalY: 3 }]],
    ['count', [{ ...base, y: [NaN, 0] }]],
    ['size', [base, { ...base, n: [1] }]],
    ['range', [{ ...base, stratum: { channel: -1, step: 0, position: 0 } }]],
  ])('refuses bad cohorts: %s', (code, bad) => {
    expect(() => assessPatterns({ cohorts: bad, codes: [] })).toThrow(expect.objectContaining({ code }));
  });
  it('refuses codes outside the cohorts', () => {
    const codes = [{ code: 'x', dimension: 'd', levels: [5], dimensionLevels: [0, 5] }];
    expect(() => assessPatterns({ cohorts: [base], codes })).toThrow(
      expect.objectContaining({ code: 'range' }),
    );
  });
});
