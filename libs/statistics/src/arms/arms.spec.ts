import fc from 'fast-check';
import golden from '../../fixtures/arms.json';
import { incompleteBeta } from '../numerics';
import {
  bestArmProbabilities,
  fitArms,
  fitHyper,
  fitRates,
  forwardArms,
  MARKET_HYPERPRIOR,
  topTwoShares,
} from '.';

/** Fewer runs where every mutant costs them again: each run of a property finds most of what all find. */
const isMutated = '__stryker__' in globalThis;
describe('fitArms agrees with dense integration by NumPy', () => {
  it.each(golden.posteriors.map((c) => [c.counts.length, c] as const))(
    '%i arms',
    (_, { counts, arms, mu, k }) => {
      const fitted = fitArms(counts);
      arms.forEach((truth, i) => {
        const arm = fitted.arms[i] as (typeof fitted.arms)[number];
        expect(Math.abs(arm.mean / truth.mean - 1)).toBeLessThan(2e-3);
        expect(Math.abs(arm.variance / truth.variance - 1)).toBeLessThan(5e-3);
        expect(Math.abs(arm.ownDataShare - truth.ownDataShare)).toBeLessThan(5e-3);
      });
      expect(Math.abs(fitted.hyper.mu / mu - 1)).toBeLessThan(1e-2);
      // The mean of k has a long tail that the served grid cuts at 5.8 standard deviations of its logarithm.
      expect(Math.abs(fitted.hyper.k / k - 1)).toBeLessThan(0.15);
    },
  );
});

describe('P(best) agrees with adaptive quadrature by SciPy', () => {
  it.each(golden.best.map((c) => [c.shapes.length, c] as const))('%i arms', (_, { shapes, pBest }) => {
    bestArmProbabilities(shapes).forEach((p, i) =>
      expect(Math.abs(p - (pBest[i] as number))).toBeLessThan(2e-4),
    );
  });
});

describe('P(best) by closed forms', () => {
  const logFactorial = (n: number): number => (n < 2 ? 0 : Math.log(n) + logFactorial(n - 1));
  const logBeta = (a: number, b: number): number =>
    logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);
  /** P(X > Y) for whole shapes: the sum over the arrivals of X. */
  const above = (x: [number, number], y: [number, number]): number => {
    let sum = 0;
    for (let i = 0; i < x[0]; i++)
      sum += Math.exp(
        logBeta(y[0] + i, x[1] + y[1]) - Math.log(x[1] + i) - logBeta(1 + i, x[1]) - logBeta(...y),
      );
    return sum;
  };
  it.each<[[number, number], [number, number]]>([
    [
      [5, 95],
      [8, 92],
    ],
    [
      [1, 1],
      [3, 2],
    ],
    [
      [1, 60],
      [2, 20],
    ],
    [
      [90, 10],
      [4, 3],
    ],
    [
      [40, 60],
      [10, 90],
    ],
  ])('of two arms: %j and %j', (x, y) => {
    const [first, second] = bestArmProbabilities([x, y].map(([alpha, beta]) => ({ alpha, beta })));
    expect(first).toBeCloseTo(above(x, y), 4);
    expect(second).toBeCloseTo(above(y, x), 4);
  });
  it('of arms that are alike, an equal share each; of one alone, all', () => {
    for (const count of [1, 3, 12])
      for (const p of bestArmProbabilities(Array.from({ length: count }, () => ({ alpha: 3, beta: 40 }))))
        expect(p).toBeCloseTo(1 / count, 10);
  });
  it('top-two shares are half the best, half the best of the others', () => {
    const p = [0.5, 0.3, 0.2] as const;
    const [share] = topTwoShares(p);
    expect(share).toBeCloseTo(0.25 + 0.5 * 0.5 * (0.3 / 0.7 + 0.2 / 0.8), 12);
    expect(topTwoShares([1])).toEqual([1]);
  });
  const fine = { alpha: 1, beta: 1 };
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['an alpha', 'shape', (alpha) => bestArmProbabilities([fine, { ...fine, alpha }]), [0, Infinity, NaN]],
    ['a beta', 'shape', (beta) => bestArmProbabilities([fine, { ...fine, beta }]), [0, Infinity, NaN]],
    ['no arms', 'size', (length) => bestArmProbabilities(Array(length).fill(fine) as never), [0]],
    ['no shares', 'size', (length) => topTwoShares(Array(length) as number[]), [0]],
    ['a share', 'probability', (share) => topTwoShares([0.5, share]), [-0.1, 1.1, NaN]],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
});

describe('arms keep their promises for any counts', () => {
  const arm = fc
    .tuple(fc.double({ min: 0, max: 5000, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([n, share]) => ({ n, y: Math.min(n, n * share * share) }));
  const arms = fc.array(arm, { minLength: 1, maxLength: 12 });

  it('rates and hyper-parameters alone are those of the whole fit', () => {
    fc.assert(
      fc.property(arms, (counts) => {
        const { arms: fitted, hyper } = fitArms(counts);
        const rates = fitRates(counts);
        expect(rates.hyper).toEqual(hyper);
        expect(fitHyper(counts)).toEqual(hyper);
        rates.arms.forEach((rate, i) => expect(fitted[i]).toMatchObject(rate));
        expect(rates.arms).toHaveLength(fitted.length);
      }),
      { numRuns: isMutated ? 5 : 25 },
    );
  });

  it('moments are exact, intervals contain the mean, shares sum to one', () => {
    fc.assert(
      fc.property(arms, (counts) => {
        const fitted = fitArms(counts);
        for (const { alpha, beta, mean, variance, low, high, ownDataShare } of fitted.arms) {
          expect(mean).toBe(alpha / (alpha + beta));
          expect(
            Math.abs(variance * (alpha + beta) ** 2 * (alpha + beta + 1) - alpha * beta),
          ).toBeLessThanOrEqual(1e-12 * alpha * beta);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThan(high);
          expect(high).toBeLessThanOrEqual(1);
          expect(ownDataShare).toBeGreaterThanOrEqual(0);
          expect(ownDataShare).toBeLessThanOrEqual(1);
        }
        expect(fitted.arms.reduce((sum, { pBest }) => sum + pBest, 0)).toBeCloseTo(1, 10);
        expect(fitted.arms.reduce((sum, { topTwoShare }) => sum + topTwoShare, 0)).toBeCloseTo(1, 10);
      }),
      { seed: 11, numRuns: isMutated ? 10 : 60 },
    );
  });

  it('the order of the arms does not matter', () => {
    fc.assert(
      fc.property(arms, (counts) => {
        const forward = fitArms(counts).arms.map(({ mean }) => mean);
        const backward = fitArms([...counts].reverse()).arms.map(({ mean }) => mean);
        backward.reverse().forEach((mean, i) => expect(mean).toBeCloseTo(forward[i] as number, 10));
      }),
      { seed: 12, numRuns: isMutated ? 5 : 30 },
    );
  });

  it('an arm without data gets the company, and its own share is zero', () => {
    const [seen, unseen] = fitArms([
      { n: 5000, y: 400 },
      { n: 0, y: 0 },
    ]).arms;
    expect(unseen?.ownDataShare).toBe(0);
    expect(seen?.ownDataShare).toBeGreaterThan(0.95);
    expect(unseen?.mean).toBeGreaterThan(0.05);
  });

  it('no arms is a fitted without arms; input stays as it was', () => {
    expect(fitArms([]).arms).toEqual([]);
    const frozen = Object.freeze([Object.freeze({ n: 10, y: 1 })]);
    expect(fitArms(frozen)).toEqual(fitArms(structuredClone(frozen)));
  });

  it('top-two sampling splits evenly between a certain arm and the best of the rest', () => {
    expect(topTwoShares([1, 0, 0])[0]).toBe(1);
    expect(topTwoShares([0.9, 0.05, 0.05])[0]).toBeCloseTo(0.45 + 0.5 * (0.1 * (0.9 / 0.95)), 10);
  });

  it('tells of an arm that was never used what it tells of one without messages, and not the plugged-in prior', () => {
    const counts = [
      { n: 1_000, y: 200 },
      { n: 1_000, y: 196 },
    ];
    const { unseen, hyper } = fitRates(counts);
    const { arms: fitted } = fitRates([...counts, { n: 0, y: 0 }]);
    expect(unseen.mean / (fitted[2]?.mean ?? NaN)).toBeCloseTo(1, 9);
    expect(unseen.variance / (fitted[2]?.variance ?? NaN)).toBeCloseTo(1, 9);
    expect(forwardArms(counts, { target: 0.2, current: 0.1 }).unseen).toEqual(unseen);
    expect([unseen.ownDataShare, unseen.effectiveN]).toEqual([0, 0]);
    // Two arms hardly tell how far a third may lie.
    expect(unseen.variance).toBeGreaterThan((3 * (hyper.mu * (1 - hyper.mu))) / (hyper.k + 1));
  });
  it('without data is the hyper-prior, and with a narrow one the Beta that it names', () => {
    const narrow = { logitMean: Math.log(0.1 / 0.9), logitSd: 1e-3, logKMean: Math.log(50), logKSd: 1e-3 };
    const { arms: fitted, hyper } = fitArms(
      [
        { n: 150, y: 30 },
        { n: 0, y: 0 },
      ],
      { hyperprior: narrow, mass: 0.8 },
    );
    // Beta(5 + 30, 45 + 120), and Beta(5, 45).
    expect(hyper.mu).toBeCloseTo(0.1, 4);
    expect(hyper.k / 50).toBeCloseTo(1, 4);
    expect((fitted[0]?.alpha ?? 0) / 35).toBeCloseTo(1, 3);
    expect((fitted[0]?.beta ?? 0) / 165).toBeCloseTo(1, 3);
    expect((fitted[1]?.alpha ?? 0) / 5).toBeCloseTo(1, 2);
    expect(fitted[0]?.ownDataShare).toBeCloseTo(150 / 200, 4);
    expect(fitted.map(({ effectiveN }) => effectiveN)).toEqual([150, 0]);
    for (const { alpha, beta, low, high } of fitted) {
      expect(incompleteBeta(low, alpha, beta)).toBeCloseTo(0.1, 8);
      expect(incompleteBeta(high, alpha, beta)).toBeCloseTo(0.9, 8);
    }
    const usual = fitRates([{ n: 9, y: 1 }]).arms[0];
    expect(incompleteBeta(usual?.low ?? 0, usual?.alpha ?? 1, usual?.beta ?? 1)).toBeCloseTo(0.025, 8);
  });

  const fine = { n: 1, y: 0 };
  const prior = MARKET_HYPERPRIOR;
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['sends', 'count', (n) => fitArms([{ n, y: 0 }]), [-1, NaN, Infinity]],
    ['replies', 'count', (y) => fitArms([{ n: 1, y }]), [-1, 2, NaN]],
    ['replies of a mean', 'count', (y) => fitHyper([{ n: 1, y }]), [-1, 2]],
    ['a mass', 'mass', (mass) => fitArms([fine], { mass }), [0, 1, NaN]],
    [
      'a mean',
      'range',
      (logitMean) => fitRates([fine], { hyperprior: { ...prior, logitMean } }),
      [NaN, Infinity],
    ],
    [
      'a concentration',
      'range',
      (logKMean) => fitRates([fine], { hyperprior: { ...prior, logKMean } }),
      [NaN],
    ],
    ['a spread', 'range', (logitSd) => fitRates([fine], { hyperprior: { ...prior, logitSd } }), [0, -1, NaN]],
    ['its spread', 'range', (logKSd) => fitRates([fine], { hyperprior: { ...prior, logKSd } }), [0, -1, NaN]],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
});
