import guard from '../fixtures/guard.json';
import evidence from '../fixtures/r-evidence.json';
import logistic from '../fixtures/r-logistic.json';
import delays from '../fixtures/r-maturity.json';
import numerics from '../fixtures/r-numerics.json';
import {
  betaQuantile,
  calibrate,
  chiSquareSurvival,
  confoundingStrength,
  EMAIL_DELAY,
  fitDelayCurve,
  gammaQuantile,
  guardEValue,
  incompleteBeta,
  incompleteBetaUpper,
  LINKEDIN_DELAY,
  type LogisticPenalty,
  penalisedLogistic,
} from '.';
import { mantelHaenszelLogOr } from './evidence/effect-estimate';

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

describe('evidence agrees with R', () => {
  it('mantelhaen.test: common odds ratio, to 1e-10', () => {
    for (const { tables, oddsRatio } of evidence.mantelHaenszel) {
      const total = (part: (table: (typeof tables)[number]) => number): number =>
        tables.reduce((sum, table) => sum + part(table) / (table.na + table.nb), 0);
      const mhWith = total(({ ya, nb, yb }) => ya * (nb - yb));
      const mhWithout = total(({ na, ya, yb }) => yb * (na - ya));
      expectClose(Math.exp(mantelHaenszelLogOr(mhWith, mhWithout)), oddsRatio, 1e-10);
    }
  });
  it('E-values of VanderWeele and Ding for rare and common replies, to 1e-12', () => {
    for (const { oddsRatio, low, high, rate, estimate, limit } of evidence.sensitivity) {
      const strength = confoundingStrength(Math.log(oddsRatio), Math.log(low), Math.log(high), rate);
      expectClose(strength.estimate, estimate, 1e-12);
      expectClose(strength.limit, limit, 1e-12);
    }
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
  it('with an intercept per stratum it is the glm on augmented data, to 1e-8', () => {
    for (const { na, ya, nb, yb, logOr } of logistic.strata) {
      const rows = (isWith: number) => na.map((_, i) => [...na.map((__, j) => Number(i === j)), isWith]);
      const { coefficients } = penalisedLogistic({
        ...{ x: [...rows(1), ...rows(0)], n: [...na, ...nb], y: [...ya, ...yb] },
        penalties: [...na, 0].map((): LogisticPenalty => 'logF'),
      });
      expectClose(coefficients.at(-1) as number, logOr, 1e-8);
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
