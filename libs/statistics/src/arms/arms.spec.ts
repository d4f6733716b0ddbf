import fc from 'fast-check';
import golden from '../../fixtures/arms.json';
import { bestArmProbabilities, fitArms, fitHyper, fitRates, topTwoShares } from '.';

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
      { numRuns: 25 },
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
      { seed: 11, numRuns: 60 },
    );
  });

  it('the order of the arms does not matter', () => {
    fc.assert(
      fc.property(arms, (counts) => {
        const forward = fitArms(counts).arms.map(({ mean }) => mean);
        const backward = fitArms([...counts].reverse()).arms.map(({ mean }) => mean);
        backward.reverse().forEach((mean, i) => expect(mean).toBeCloseTo(forward[i] as number, 10));
      }),
      { seed: 12, numRuns: 30 },
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

  it.each([
    [[{ n: -1, y: 0 }], {}, 'count'],
    [[{ n: 1, y: 2 }], {}, 'count'],
    [[{ n: NaN, y: 0 }], {}, 'count'],
    [[{ n: 1, y: 0 }], { mass: 1 }, 'mass'],
    [[{ n: 1, y: 0 }], { hyperprior: { logitMean: 0, logitSd: 0, logKMean: 0, logKSd: 1 } }, 'range'],
  ])('refuses %j %j', (counts, options, code) => {
    expect(() => fitArms(counts, options)).toThrow(expect.objectContaining({ code }));
  });
});
