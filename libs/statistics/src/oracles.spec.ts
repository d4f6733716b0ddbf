import guard from '../fixtures/guard.json';
import logistic from '../fixtures/r-logistic.json';
import delays from '../fixtures/r-maturity.json';
import numerics from '../fixtures/r-numerics.json';
import patterns from '../fixtures/r-patterns.json';
import {
  benjaminiHochberg,
  betaQuantile,
  calibrate,
  chiSquareSurvival,
  confoundingStrength,
  eValue,
  EMAIL_DELAY,
  fitDelayCurve,
  gammaQuantile,
  guardEValue,
  incompleteBeta,
  incompleteBetaUpper,
  LINKEDIN_DELAY,
  LOG_OR_GRID,
  type LogisticPenalty,
  mantelHaenszel,
  normalQuantile,
  penalisedLogistic,
} from '.';
import { crossCheckLogOr } from './patterns/cross-check';

/** Agreement to a relative tolerance. */
function expectClose(actual: number, truth: number, tolerance: number): void {
  expect(Math.abs(actual - truth)).toBeLessThanOrEqual(tolerance * Math.abs(truth));
}
/** Agreement to an absolute tolerance, value by value. */
function expectAllClose(actual: readonly number[], truth: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(truth.length);
  actual.forEach((value, i) => expect(Math.abs(value - (truth[i] as number))).toBeLessThanOrEqual(tolerance));
}

describe("distributions agree with R's to 1e-10", () => {
  it('pbeta, both tails, and qbeta', () => {
    for (const { a, b, p, quantile, x, lower, upper } of numerics.beta) {
      expectClose(betaQuantile(p, a, b), quantile, 1e-10);
      expectClose(incompleteBeta(x, a, b), lower, 1e-10);
      expectClose(incompleteBetaUpper(x, a, b), upper, 1e-10);
    }
  });
  it('pchisq and qgamma', () => {
    for (const { statistic, degrees, survival } of numerics.chiSquare)
      expectClose(chiSquareSurvival(statistic, degrees), survival, 1e-10);
    for (const { p, shape, quantile } of numerics.gamma)
      expectClose(gammaQuantile(p, shape), quantile, 1e-10);
  });
});

describe('pattern statistics agree with R', () => {
  it('mantelhaen.test: common odds ratio, Robins-Breslow-Greenland interval and CMH test, to 1e-10', () => {
    const z = normalQuantile(0.975);
    for (const { tables, oddsRatio, low, high, chiSquare, pValue } of patterns.mantelHaenszel) {
      const result = mantelHaenszel(tables);
      const reach = z * (result.se as number);
      expectClose(Math.exp(result.logOr), oddsRatio, 1e-10);
      expectClose(Math.exp(result.logOr - reach), low, 1e-10);
      expectClose(Math.exp(result.logOr + reach), high, 1e-10);
      expectClose(result.chiSquare, chiSquare, 1e-10);
      expectClose(result.pValue, pValue, 1e-9);
    }
  });
  it("p.adjust(method = 'BH'), with ties, zero and one, to 1e-12", () => {
    for (const { p, q } of patterns.benjaminiHochberg) expectAllClose(benjaminiHochberg(p), q, 1e-12);
  });
  it('E-values of VanderWeele and Ding for rare and common replies, to 1e-12', () => {
    for (const { oddsRatio, low, high, rate, estimate, limit } of patterns.sensitivity) {
      const strength = confoundingStrength(Math.log(oddsRatio), Math.log(low), Math.log(high), rate);
      expectClose(strength.estimate, estimate, 1e-12);
      expectClose(strength.limit, limit, 1e-12);
    }
  });
  it('the e-process with the block factors of safestats, to 1e-9', () => {
    expect(patterns.grid).toEqual(LOG_OR_GRID);
    for (const { blocks, eValue: truth } of patterns.eValue) expectClose(eValue(blocks), truth, 1e-9);
  });
});

describe('logistic regressions agree with R', () => {
  it('log-F(1,1) with glm on augmented data: coefficients to 1e-8, standard errors to 1e-6', () => {
    for (const { x, n, y, offset, penalised, coefficients, standardErrors } of logistic.augmented) {
      const penalties = coefficients.map((_, j): LogisticPenalty =>
        penalised.includes(j) ? 'logF' : 'none',
      );
      const fitted = penalisedLogistic({ x, n, y, offset, penalties });
      expectAllClose(fitted.coefficients, coefficients, 1e-8);
      expectAllClose(fitted.standardErrors, standardErrors, 1e-6);
    }
  });
  it("one coefficient per group is Firth's regression in logistf and brglm2, to 1e-6", () => {
    for (const { n, y, logistf, brglm2 } of logistic.firth) {
      const { coefficients } = penalisedLogistic({
        x: n.map((_, i) => n.map((__, j) => Number(i === j))),
        n,
        y,
      });
      const contrasts = coefficients.map((c, j) => (j === 0 ? c : c - (coefficients[0] as number)));
      expectAllClose(contrasts, logistf, 1e-6);
      expectAllClose(contrasts, brglm2, 1e-6);
    }
  });
  it('the cross-check of a pattern is the glm with an intercept per stratum, to 1e-8', () => {
    for (const { na, ya, nb, yb, logOr } of logistic.crossCheck) {
      const weeks = {
        count: na.length,
        width: 2,
        n: Float64Array.from(na.flatMap((value, t) => [value, nb[t] as number])),
        y: Float64Array.from(ya.flatMap((value, t) => [value, yb[t] as number])),
        stratum: Int32Array.from(na, (_, t) => t),
      };
      expectClose(crossCheckLogOr(weeks, { a: [0], b: [1] }), logOr, 1e-8);
    }
  });
  it('the calibration slope and its standard error with glm, to 1e-7', () => {
    const { predictions, outcomes, slope, slopeSe } = logistic.calibration;
    const report = calibrate(predictions, outcomes);
    expectClose(report.slope as number, slope, 1e-7);
    expectClose(report.slopeSe as number, slopeSe, 1e-7);
  });
});

describe('the guard of a campaign agrees with confseq', () => {
  it('as a mixture of betting martingales, to 1e-10', () => {
    for (const { events, sends, limit, eValue: truth } of guard.cases)
      expectClose(guardEValue(events, sends, limit), truth, 1e-10);
  });
});

describe("the delay curve tends to survfit's in reversed time", () => {
  it.each(delays.curves.map((curve) => [curve.matureDays, curve] as const))(
    'over %i days, to 1e-9 once the replies outweigh the default shape',
    (matureDays, { cohorts, arrived }) => {
      const defaults = matureDays === 14 ? EMAIL_DELAY : LINKEDIN_DELAY;
      const many = cohorts.map(({ ageDays, repliesByDelay }) => ({
        ageDays,
        repliesByDelay: repliesByDelay.map((count) => count * 1e12),
      }));
      expectAllClose(fitDelayCurve(many, defaults).arrived, arrived, 1e-9);
    },
  );
});
