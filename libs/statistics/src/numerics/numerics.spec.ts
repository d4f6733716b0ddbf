import fc from 'fast-check';
import intervals from '../../fixtures/beta-interval.json';
import golden from '../../fixtures/numerics.json';
import {
  betaInterval,
  betaQuantile,
  chiSquareSurvival,
  expit,
  gammaQuantile,
  incompleteBeta,
  incompleteBetaUpper,
  incompleteGamma,
  logBeta,
  logGamma,
  logit,
  normalCdf,
  normalQuantile,
  StatsDomainError,
} from '.';

/** Largest relative error over a golden table; `floor` is where a value counts as an exact zero. */
function worst(
  rows: readonly (readonly number[])[],
  compute: (row: readonly number[]) => number,
  expected = -1,
): number {
  let largest = 0;
  for (const row of rows) {
    const truth = row.at(expected) as number;
    const error = Math.abs(compute(row) - truth) / Math.max(Math.abs(truth), 1e-290);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}
const at = (row: readonly number[], i: number): number => row[i] as number;

describe('special functions agree with mpmath at 50 digits to 1e-10', () => {
  it('log-gamma', () => {
    expect(worst(golden.logGamma, (r) => logGamma(at(r, 0)))).toBeLessThan(1e-10);
  });
  it('log-beta', () => {
    expect(worst(golden.logBeta, (r) => logBeta(at(r, 0), at(r, 1)))).toBeLessThan(1e-10);
  });
  it('incomplete beta, lower tail', () => {
    expect(worst(golden.incompleteBeta, (r) => incompleteBeta(at(r, 0), at(r, 1), at(r, 2)), 3)).toBeLessThan(
      1e-10,
    );
  });
  it('incomplete beta, upper tail', () => {
    expect(
      worst(golden.incompleteBeta, (r) => incompleteBetaUpper(at(r, 0), at(r, 1), at(r, 2)), 4),
    ).toBeLessThan(1e-10);
  });
  it('beta quantile', () => {
    expect(worst(golden.betaQuantile, (r) => betaQuantile(at(r, 0), at(r, 1), at(r, 2)))).toBeLessThan(1e-10);
  });
  it('normal cdf and quantile', () => {
    expect(worst(golden.normalCdf, (r) => normalCdf(at(r, 0)))).toBeLessThan(1e-10);
    expect(worst(golden.normalQuantile, (r) => normalQuantile(at(r, 0)))).toBeLessThan(1e-10);
  });
  it('chi-square survival and gamma quantile', () => {
    expect(worst(golden.chiSquareSurvival, (r) => chiSquareSurvival(at(r, 0), at(r, 1)))).toBeLessThan(1e-10);
    expect(worst(golden.gammaQuantile, (r) => gammaQuantile(at(r, 0), at(r, 1)))).toBeLessThan(1e-10);
  });
  it('beta interval', () => {
    for (const { alpha, beta, mass, low, high } of intervals.cases) {
      const interval = betaInterval(alpha, beta, mass);
      expect(Math.abs(interval.low / low - 1)).toBeLessThan(1e-10);
      expect(Math.abs(interval.high / high - 1)).toBeLessThan(1e-10);
    }
  });
});

describe('identities hold over the whole domain', () => {
  const shape = fc.double({ min: 0.05, max: 5000, noNaN: true });
  const open = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
  it('the tails of the incomplete beta sum to one and reflect', () => {
    fc.assert(
      fc.property(shape, shape, open, (a, b, x) => {
        expect(incompleteBeta(x, a, b) + incompleteBetaUpper(x, a, b)).toBeCloseTo(1, 12);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
  it('the quantile inverts the distribution function', () => {
    fc.assert(
      fc.property(shape, shape, open, (a, b, p) => {
        const x = betaQuantile(p, a, b);
        fc.pre(x > 1e-300 && x < 1 - 1e-9);
        expect(Math.abs(incompleteBeta(x, a, b) / p - 1)).toBeLessThan(1e-6);
      }),
      { seed: 2, numRuns: 300 },
    );
  });
  it('log-gamma satisfies its recurrence', () => {
    fc.assert(
      fc.property(shape, (x) => {
        expect(Math.abs(logGamma(x + 1) - logGamma(x) - Math.log(x))).toBeLessThan(
          1e-10 * Math.max(1, logGamma(x + 1)),
        );
      }),
      { seed: 3, numRuns: 300 },
    );
  });
  it('logit and expit invert one another', () => {
    fc.assert(
      fc.property(open, (p) => {
        expect(expit(logit(p))).toBeCloseTo(p, 12);
      }),
      { seed: 4 },
    );
  });
});

describe('arguments outside the domain are refused with their code', () => {
  const code = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof StatsDomainError) return error.code;
      throw error;
    }
    return 'accepted';
  };
  it.each([
    ['shape', () => logGamma(0)],
    ['shape', () => logGamma(NaN)],
    ['shape', () => logBeta(1, Infinity)],
    ['shape', () => betaInterval(0, 1, 0.95)],
    ['mass', () => betaInterval(1, 1, 95)],
    ['probability', () => incompleteBeta(1.5, 1, 1)],
    ['probability', () => betaQuantile(NaN, 1, 1)],
    ['mass', () => normalQuantile(0)],
    ['range', () => normalCdf(NaN)],
    ['range', () => incompleteGamma(1, -1)],
    ['shape', () => chiSquareSurvival(1, 0)],
    ['mass', () => gammaQuantile(1, 1)],
    ['mass', () => logit(1)],
  ])('%s', (expected, run) => {
    expect(code(run)).toBe(expected);
  });
});
