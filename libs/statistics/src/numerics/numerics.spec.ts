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
  jeffreysInterval,
  logBeta,
  logGamma,
  logit,
  normalCdf,
  normalQuantile,
  StatsDomainError,
} from '.';

/** Fewer runs where every mutant costs them again: each run of a property finds most of what all find. */
const isMutated = '__stryker__' in globalThis;
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

describe('the interval of Jeffreys', () => {
  it('is that of its Beta, and reaches 0 and 1 where none or all were counted', () => {
    expect(jeffreysInterval(3, 10, 0.9)).toEqual(betaInterval(3.5, 7.5, 0.9));
    expect(jeffreysInterval(0, 10, 0.95)).toEqual({ low: 0, high: betaQuantile(0.975, 0.5, 10.5) });
    expect(jeffreysInterval(10, 10, 0.95)).toEqual({ low: betaQuantile(0.025, 10.5, 0.5), high: 1 });
  });
  it('holds the observed share', () => {
    for (const n of [1, 2, 7, 60, 10_000])
      for (const y of new Set([0, 1, n >> 1, n - 1, n])) {
        const { low, high } = jeffreysInterval(y, n, 0.95);
        expect(low <= y / n && y / n <= high).toBe(true);
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
      { seed: 1, numRuns: isMutated ? 60 : 300 },
    );
  });
  it('the quantile inverts the distribution function', () => {
    fc.assert(
      fc.property(shape, shape, open, (a, b, p) => {
        const x = betaQuantile(p, a, b);
        fc.pre(x > 1e-300 && x < 1 - 1e-9);
        expect(Math.abs(incompleteBeta(x, a, b) / p - 1)).toBeLessThan(1e-6);
      }),
      { seed: 2, numRuns: isMutated ? 60 : 300 },
    );
  });
  it('log-gamma satisfies its recurrence', () => {
    fc.assert(
      fc.property(shape, (x) => {
        expect(Math.abs(logGamma(x + 1) - logGamma(x) - Math.log(x))).toBeLessThan(
          1e-10 * Math.max(1, logGamma(x + 1)),
        );
      }),
      { seed: 3, numRuns: isMutated ? 60 : 300 },
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
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['log-gamma', 'shape', logGamma, [0, -1, NaN, Infinity]],
    ['log-beta, first shape', 'shape', (a) => logBeta(a, 1), [0, NaN, Infinity]],
    ['log-beta, second shape', 'shape', (b) => logBeta(1, b), [0, NaN, Infinity]],
    ['beta interval, first shape', 'shape', (a) => betaInterval(a, 1, 0.95), [0, Infinity]],
    ['beta interval', 'mass', (mass) => betaInterval(1, 1, mass), [0, 1, 95, NaN]],
    ['interval of Jeffreys, events', 'count', (y) => jeffreysInterval(y, 10, 0.95), [-1, 11, NaN]],
    ['interval of Jeffreys, trials', 'count', (n) => jeffreysInterval(0, n, 0.95), [0, -1, NaN]],
    ['interval of Jeffreys', 'mass', (mass) => jeffreysInterval(1, 2, mass), [0, 1, 95, NaN]],
    ['lower beta', 'probability', (x) => incompleteBeta(x, 1, 1), [-0.1, 1.1, NaN]],
    ['lower beta, first shape', 'shape', (a) => incompleteBeta(0.5, a, 1), [0, Infinity]],
    ['lower beta, second shape', 'shape', (b) => incompleteBeta(0.5, 1, b), [0, Infinity]],
    ['upper beta', 'probability', (x) => incompleteBetaUpper(x, 1, 1), [-0.1, 1.1, NaN]],
    ['upper beta, first shape', 'shape', (a) => incompleteBetaUpper(0.5, a, 1), [0, Infinity]],
    ['upper beta, second shape', 'shape', (b) => incompleteBetaUpper(0.5, 1, b), [0, Infinity]],
    ['beta quantile', 'probability', (p) => betaQuantile(p, 1, 1), [-0.1, 1.1, NaN]],
    ['beta quantile, first shape', 'shape', (a) => betaQuantile(0.5, a, 1), [0, Infinity]],
    ['beta quantile, second shape', 'shape', (b) => betaQuantile(0.5, 1, b), [0, Infinity]],
    ['normal quantile', 'mass', normalQuantile, [0, 1, NaN]],
    ['normal cdf', 'range', normalCdf, [NaN]],
    ['incomplete gamma', 'range', (x) => incompleteGamma(1, x), [-1, Infinity, NaN]],
    ['incomplete gamma, shape', 'shape', (a) => incompleteGamma(a, 1), [0, Infinity]],
    ['chi-square, degrees', 'shape', (degrees) => chiSquareSurvival(1, degrees), [0, NaN]],
    ['gamma quantile', 'mass', (p) => gammaQuantile(p, 1), [0, 1, NaN]],
    ['gamma quantile, shape', 'shape', (shape) => gammaQuantile(0.5, shape), [0, -1, Infinity]],
    ['logit', 'mass', logit, [0, 1, NaN]],
  ])('%s: %s', (_name, expected, run, bad) => {
    expect(bad.map((value) => code(() => run(value)))).toEqual(bad.map(() => expected));
  });

  it('with an error that is a RangeError of its own name', () => {
    expect(() => logit(2)).toThrow(RangeError);
    expect(() => logit(2)).toThrow(expect.objectContaining({ name: 'StatsDomainError' }));
  });
});

describe('the ends of the domain are served', () => {
  it('distribution functions begin at zero and end at one', () => {
    expect([0, 1].map((x) => incompleteBeta(x, 2, 3))).toEqual([0, 1]);
    expect([0, 1].map((x) => incompleteBetaUpper(x, 2, 3))).toEqual([1, 0]);
    expect([0, 1].map((p) => betaQuantile(p, 2, 3))).toEqual([0, 1]);
    expect([-Infinity, -41, 41, Infinity].map(normalCdf)).toEqual([0, 0, 1, 1]);
    expect(incompleteGamma(2.5, 0)).toEqual({ lower: 0, upper: 1 });
    expect([-Infinity, Infinity].map(expit)).toEqual([0, 1]);
  });

  it('closed forms: powers, exponentials and the arcsine law', () => {
    const close = (actual: number, truth: number): void =>
      expect(Math.abs(actual / truth - 1)).toBeLessThan(1e-11);
    for (const x of [1e-12, 0.03, 0.3, 0.5, 0.7, 0.97]) {
      for (const a of [0.01, 0.6, 1, 7, 900]) {
        const upper = Math.exp(a * Math.log1p(-x));
        if (x ** a > 1e-300) close(incompleteBeta(x, a, 1), x ** a);
        if (upper > 1e-300) close(incompleteBetaUpper(x, 1, a), upper);
        close(incompleteBeta(x, 1, a), -Math.expm1(a * Math.log1p(-x)));
        if (x ** (1 / a) > 1e-300) close(betaQuantile(x, a, 1), x ** (1 / a));
      }
      close(incompleteBeta(x, 0.5, 0.5), (2 / Math.PI) * Math.asin(Math.sqrt(x)));
      const log = Math.log1p(-x);
      close(gammaQuantile(x, 1), -log);
      close(chiSquareSurvival(-2 * Math.log(x), 2), x);
      const { lower, upper } = incompleteGamma(2, 40 * x);
      close(upper, (1 + 40 * x) * Math.exp(-40 * x));
      expect(lower + upper).toBeCloseTo(1, 14);
    }
    for (const x of [-50, -3.2, -1, 0, 1e-9, 2, 30]) close(expit(x), 1 / (1 + Math.exp(-x)));
    for (const [n, factorial] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [6, 120],
      [11, 3_628_800],
    ] as const)
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 12);
    close(logGamma(0.5), Math.log(Math.PI) / 2);
  });

  it('whole shapes are sums of binomial and of Poisson chances, in the smaller tail too', () => {
    const close = (actual: number, truth: number): void =>
      expect(Math.abs(actual / truth - 1)).toBeLessThan(1e-11);
    for (const a of [1, 2, 9, 10, 11, 40]) {
      for (const b of [1, 3, 9, 10, 12, 60]) {
        for (const x of [1e-12, 0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999]) {
          // Chances of j of a + b - 1, added from the smallest on.
          const n = a + b - 1;
          const chances = [Math.exp(n * Math.log1p(-x))];
          for (let j = 1; j <= n; j++)
            chances.push(((chances[j - 1] as number) * (n + 1 - j) * x) / (j * (1 - x)));
          const sum = (from: number, to: number): number =>
            chances
              .slice(from, to)
              .sort((p, q) => p - q)
              .reduce((p, q) => p + q, 0);
          if (sum(a, n + 1) > 1e-290) close(incompleteBeta(x, a, b), sum(a, n + 1));
          if (sum(0, a) > 1e-290) close(incompleteBetaUpper(x, a, b), sum(0, a));
        }
      }
      for (const x of [1e-6, 0.5, 1, 5, 9, 10, 12, 40, 100]) {
        const chances = [Math.exp(-x)];
        for (let k = 1; k < a + 400; k++) chances.push(((chances[k - 1] as number) * x) / k);
        const sum = (from: number, to: number): number =>
          chances
            .slice(from, to)
            .sort((p, q) => p - q)
            .reduce((p, q) => p + q, 0);
        const { lower, upper } = incompleteGamma(a, x);
        if (x < a + 1) close(lower, sum(a, a + 400));
        else close(upper, sum(0, a));
        if (lower > 1e-200 && lower < 0.9) close(gammaQuantile(lower, a), x);
      }
    }
  });

  it('the gamma quantile keeps its digits where all or nothing is left, and where it all but underflows', () => {
    const left = 2 ** -30;
    expect(incompleteGamma(3, gammaQuantile(1 - left, 3)).upper / left).toBeCloseTo(1, 9);
    expect(incompleteGamma(3, gammaQuantile(left, 3)).lower / left).toBeCloseTo(1, 9);
    // For a small shape P(a, x) is x^a / gamma(a + 1).
    const tiny = gammaQuantile(Math.exp(-7.05), 0.01);
    expect(Math.log(tiny)).toBeCloseTo(100 * (-7.05 + logGamma(1.01)), 9);
  });
});
