import fc from 'fast-check';
import { normalCdf } from '../numerics';
import {
  alwaysValidInterval,
  confoundingStrength,
  contrastScore,
  effectPosterior,
  logEValue,
  sendsToConfirm,
} from '.';
import { likeliestLogOr } from './always-valid-interval';
import { claimTiers, confirmedAtLogE, isClaimed, rejectByLogE } from './claim-tiers';
import {
  type EffectEstimate,
  estimateEffect,
  liftOf,
  mantelHaenszelLogOr,
  tierBorneOut,
} from './effect-estimate';
import { averageLogE, evidenceStarts, gridAt } from './evidence-starts';
import { addSums, noSums, setUnitSums } from './evidence-sums';
import { exact, makeExact } from './exact-sums';
import { sendsOfTrial } from './sends-to-confirm';

const refused = (code: string) => expect.objectContaining({ code });
/** Sums of one unit whose texts are alike: no sigma plays a part, and all is known in closed form. */
const alike = (z: number, v: number): Float64Array => {
  const sums = noSums();
  setUnitSums(sums, z, v, 0);
  return sums;
};
/** The bets of .2 and .5, half each, on a normal score with variance v. */
const eValue = (z: number, v: number, logOr = 0): number =>
  [0.2, 0.5].reduce((sum, tau) => {
    const spread = 1 + tau * tau * v;
    return sum + (0.5 * Math.exp((tau * tau * (z - logOr * v) ** 2) / (2 * spread))) / Math.sqrt(spread);
  }, 0);
const scores = fc.tuple(
  fc.double({ min: -40, max: 40, noNaN: true }),
  fc.double({ min: 0.05, max: 200, noNaN: true }),
);

describe('the score of a table', () => {
  it.each([
    [10, 3, 30, 2, 1.75, (10 * 30 * 5 * 35) / (1_600 * 39)],
    [1, 1, 1, 0, 0.5, 1 / 4],
    [50, 0, 50, 1, -0.5, (2_500 * 99) / (10_000 * 99)],
  ])('is hypergeometric: %i of %i, %i of %i', (na, ya, nb, yb, z, v) => {
    const score = contrastScore(na, ya, nb, yb);
    expect(score.z).toBeCloseTo(z, 9);
    expect(score.v).toBeCloseTo(v, 9);
  });
  it.each([
    [0, 0, 5, 2],
    [5, 2, 0, 0],
    [4, 0, 9, 0],
    [4, 4, 9, 9],
    [0, 0, 0, 0],
  ])('is nothing where nothing is compared: %i with %i replies, %i with %i', (na, ya, nb, yb) => {
    expect(contrastScore(na, ya, nb, yb)).toEqual({ z: 0, v: 0 });
  });
  it.each([
    [-1, 0, 1, 0],
    [1, 2, 1, 0],
    [1, -1, 1, 0],
    [Infinity, 1, 1, 0],
    [1, 0, 1, 2],
    [1, 0, 1, -1],
    [1, 0, Infinity, 0],
    [1, NaN, 1, 0],
  ])('refuses %d with %d, %d with %d', (na, ya, nb, yb) => {
    expect(() => contrastScore(na, ya, nb, yb)).toThrow(refused('count'));
  });
});

describe('the numbers of a unit', () => {
  it('are those of a normal effect with variance s sigma^2, rounded to 2^-33', () => {
    const sums = noSums();
    setUnitSums(sums, 3, 8, 0.5);
    [0, 0.2, 0.4, 0.6, 0.8, 1].forEach((sigma, g) => {
      const spread = 0.5 * sigma * sigma;
      const shrinkage = 1 / (1 + spread * 8);
      expect(sums[3 * g]).toBeCloseTo(0.5 * Math.log(shrinkage) + 0.5 * spread * 9 * shrinkage, 9);
      expect(sums[3 * g + 1]).toBeCloseTo(3 * shrinkage, 9);
      expect(sums[3 * g + 2]).toBeCloseTo(8 * shrinkage, 9);
    });
    for (const value of sums) expect(Number.isInteger(value * 2 ** 33)).toBe(true);
    const twice = sums.slice();
    addSums(twice, sums);
    expect([...twice]).toEqual([...sums].map((value) => 2 * value));
  });
  it('add up exactly in any order', () => {
    const values = [0.1, 1e5 / 3, -7.7, 1e-9, 0].map(exact);
    const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);
    expect(sum(values)).toBe(sum(values.toReversed()));
    expect(exact(1 / 3)).toBe(Math.round(2 ** 33 / 3) / 2 ** 33);
    const rounded = Float64Array.of(1 / 3, 0, -1e-12);
    makeExact(rounded);
    expect([...rounded]).toEqual([exact(1 / 3), 0, -0]);
  });
});

describe('what one unit says', () => {
  it('is in closed form where its texts are alike: e-value, posterior, estimate', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: -2, max: 2, noNaN: true }), ([z, v], logOr) => {
        const sums = alike(z, v);
        expect(logEValue(sums, logOr)).toBeCloseTo(Math.log(eValue(z, v, logOr)), 5);
        expect(likeliestLogOr(sums)).toBeCloseTo(z / v, 5);
        const precision = v + 1 / 0.09;
        const { mean, sd, probabilityPositive } = effectPosterior(sums);
        expect(mean).toBeCloseTo(z / precision, 6);
        expect(sd).toBeCloseTo(1 / Math.sqrt(precision), 6);
        expect(probabilityPositive).toBeCloseTo(normalCdf(z / Math.sqrt(precision)), 6);
      }),
      { seed: 7, numRuns: 100 },
    );
  });
  it('ends its interval where the e-value reaches the limit, at an odds ratio of e^2 at the latest', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0.5, max: 6, noNaN: true }), ([z, v], limit) => {
        const ends = alwaysValidInterval(alike(z, v), limit);
        ends.forEach((end, i) => {
          const side = i === 0 ? -1 : 1;
          expect(Math.abs(end)).toBeLessThanOrEqual(2);
          const isOutermost = end === 2 * side;
          // Wholly beyond the widest: both ends lie there.
          if (isOutermost) expect(eValue(z, v, end) < Math.exp(limit) || (z / v) * side > 2).toBe(true);
          else if (Math.abs(end) < 2) expect(Math.log(eValue(z, v, end))).toBeCloseTo(limit, 4);
        });
        if (Math.abs(z / v) <= 2) {
          expect(ends[0]).toBeLessThanOrEqual(z / v + 1e-6);
          expect(ends[1]).toBeGreaterThanOrEqual(z / v - 1e-6);
        }
      }),
      { seed: 8, numRuns: 100 },
    );
    expect(alwaysValidInterval(alike(12, 40))).toEqual(alwaysValidInterval(alike(12, 40), Math.log(20)));
    expect(() => alwaysValidInterval(noSums(), NaN)).toThrow(refused('range'));
    expect(() => effectPosterior(new Float64Array(17))).toThrow(refused('size'));
    expect(() => logEValue(new Float64Array(19))).toThrow(refused('size'));
  });
  it('needs as many further messages as make its sums large enough', () => {
    const [z, v, limit] = [8, 40, Math.log(500)];
    const more = sendsToConfirm(alike(z, v), 2_000, limit) as number;
    const times = 1 + more / 2_000;
    expect(Math.log(eValue(z * times, v * times))).toBeGreaterThanOrEqual(limit - 1e-6);
    expect(Math.log(eValue(z * times * 0.998, v * times * 0.998))).toBeLessThan(limit);
    expect(Number.isInteger(more)).toBe(true);
    expect(sendsToConfirm(alike(60, 40), 2_000, limit)).toBe(0);
    expect(sendsToConfirm(alike(8, 40), 0, limit)).toBeNull();
    expect(sendsToConfirm(alike(0, 40), 2_000, limit)).toBeNull();
    // 700 times as many, but not a thousand and more.
    const weak = (times: number): number | null =>
      sendsToConfirm(alike(40 * 0.02, 40), 100, Math.log(eValue(40 * 0.02 * times, 40 * times)));
    expect((weak(700) as number) / 69_900).toBeCloseTo(1, 2);
    expect(weak(1_100)).toBeNull();
  });
  it('in a trial is an odds ratio of 1.5, half of the messages on each side', () => {
    const limit = Math.log(20 * 51);
    const sends = sendsOfTrial(0.05, limit) as number;
    const v = (sends * 0.05 * 0.95) / 4;
    expect(Math.log(eValue(Math.log(1.5) * v, v))).toBeCloseTo(limit, 1);
    expect([0, 1].map((rate) => sendsOfTrial(rate, limit))).toEqual([null, null]);
    // A thousand times a thousand messages would not do.
    expect(sendsOfTrial(1e-8, limit)).toBeNull();
    for (const rate of [-0.1, 1.1, NaN])
      expect(() => sendsOfTrial(rate, limit)).toThrow(refused('probability'));
  });
});

describe('estimates', () => {
  it("are Mantel and Haenszel's, finite where one sum is empty", () => {
    expect(mantelHaenszelLogOr(6, 2)).toBeCloseTo(Math.log(3), 12);
    expect(mantelHaenszelLogOr(6, 0)).toBeCloseTo(Math.log(6.125 / 0.125), 12);
    expect(mantelHaenszelLogOr(0, 6)).toBeCloseTo(-Math.log(6.125 / 0.125), 12);
    expect(mantelHaenszelLogOr(0, 0)).toBe(0);
  });
  it('stretch the ends of the interval by Mantel and Haenszel over the score, by two at most', () => {
    const [z, v] = [10, 40];
    const sums = alike(z, v);
    const [low, high] = alwaysValidInterval(sums);
    const at = (logOr: number): EffectEstimate =>
      estimateEffect(sums, { mhWith: Math.exp(logOr), mhWithout: 1 }, Math.log(20));
    for (const [logOr, scale] of [
      [0.25, 1],
      [0.3, 1.2],
      [0.2, 0.8],
      [0.9, 2],
      [0.05, 0.5],
      [-0.4, 1],
    ] as const) {
      const estimate = at(logOr);
      expect(estimate.logOr).toBeCloseTo(logOr, 12);
      expect(estimate.low).toBeCloseTo(Math.min(logOr, low * scale), 9);
      expect(estimate.high).toBeCloseTo(Math.max(logOr, high * scale), 9);
      const mean = (z / (v + 1 / 0.09)) * scale;
      const [least, most] = logOr > 0 ? [Math.max(0, low * scale), logOr] : [logOr, 0];
      expect(estimate.expectedLogOr).toBeCloseTo(Math.max(least, Math.min(most, mean)), 6);
    }
    expect(at(5).logOr).toBe(2);
    expect(at(-5).logOr).toBe(-2);
    expect(estimateEffect(noSums(), { mhWith: 0, mhWithout: 0 }, Math.log(20))).toEqual({
      ...{ logOr: 0, low: -2, high: 2, probabilityPositive: 0.5, expectedLogOr: 0 },
    });
  });
  it('a lift is the relative change of the rate that the odds ratio makes', () => {
    // From 1 in 5 with an odds ratio of 2 to 1 in 3.
    expect(liftOf(Math.log(2), 0.2)).toBeCloseTo(1 / 3 / 0.2 - 1, 12);
    expect(liftOf(0, 0.3)).toBe(0);
    expect(liftOf(Math.log(3), 0)).toBeCloseTo(2, 12);
  });
  it.each([
    ['confirmed', 0.4, 0.1, 0.7, 0.976, 'confirmed'],
    ['confirmed', 0.4, 0.1, 0.7, 0.974, 'likely'],
    ['confirmed', 0.4, 0, 0.7, 0.99, 'likely'],
    ['confirmed', -0.4, -0.7, -0.1, 0.02, 'confirmed'],
    ['confirmed', -0.4, -0.7, 0, 0.02, 'likely'],
    ['confirmed', -0.4, -0.7, -0.1, 0.98, null],
    ['confirmed', 0, -0.1, 0.1, 0.99, null],
    ['likely', 0.4, -0.1, 0.7, 0.95, 'likely'],
    ['likely', 0.4, -0.1, 0.7, 0.949, 'directional'],
    ['directional', 0.4, -0.1, 0.7, 0.9, 'directional'],
    ['directional', 0.4, -0.1, 0.7, 0.89, null],
    [null, 0.4, 0.1, 0.7, 0.99, null],
  ] as const)(
    '%s of %d in [%d, %d], positive with %d, is borne out as %s',
    (tier, logOr, low, high, p, borne) => {
      const estimate = { logOr, low, high, probabilityPositive: p, expectedLogOr: logOr };
      expect(tierBorneOut(tier, estimate)).toBe(borne);
    },
  );
});

describe('tiers', () => {
  it('are e-BH at a false share of a twentieth and a fifth, and at a half among the rest', () => {
    // Of four confirmed from 80 / k, likely from 20 / k; of two others directional from 4 / k, of three from 6 / k.
    const logs = (values: readonly (number | null)[]) =>
      values.map((value) => (value === null ? null : Math.log(value)));
    expect(claimTiers(logs([81, 11, 4.1, 1]))).toEqual(['confirmed', 'likely', 'directional', null]);
    expect(claimTiers(logs([79, null, 9, 1.9, 1.9]))).toEqual(['likely', null, 'directional', null, null]);
    expect(claimTiers(logs([79, null, 10.1, 2.1, 2.1]))).toEqual([
      ...['likely', null, 'likely', 'directional', 'directional'],
    ]);
    expect((['confirmed', 'likely', 'directional', null] as const).map(isClaimed)).toEqual([
      ...[true, true, false, false],
    ]);
  });
  it('are refused a false share outside (0, 1), evidence that is no number, and more confirmed than take part', () => {
    for (const rate of [0, 1, -0.1, NaN]) expect(() => rejectByLogE([1], rate)).toThrow(refused('mass'));
    expect(() => rejectByLogE([1, NaN], 0.5)).toThrow(refused('range'));
    for (const confirmed of [-1, 3])
      expect(() => confirmedAtLogE(2, confirmed, false)).toThrow(refused('range'));
  });
});

describe('starts', () => {
  it('lie every six fortnights, eight at most, half of the bet on the oldest', () => {
    expect([-1, 0, 5, 6, 47].map(gridAt)).toEqual([-6, 0, 0, 6, 42]);
    expect(evidenceStarts(2, false, 13).from).toEqual([0, 6, 12]);
    expect(evidenceStarts(2, true, 13).from).toEqual([2, 6, 12]);
    expect(evidenceStarts(6, true, 13).from).toEqual([6, 12]);
    expect(evidenceStarts(0, false, 100).from).toEqual([54, 60, 66, 72, 78, 84, 90, 96]);
    expect(evidenceStarts(1, true, 47).from).toEqual([1, 6, 12, 18, 24, 30, 36, 42]);
    expect(evidenceStarts(1, true, 100).from).toEqual(evidenceStarts(0, false, 100).from);
    const { weights, reserve } = evidenceStarts(2, false, 13);
    expect(weights).toEqual([0.5, 0.5 / 7, 0.5 / 7]);
    expect(reserve).toBeCloseTo(5 * (0.5 / 7), 12);
  });
  it('average their e-values, those to come being one', () => {
    const starts = evidenceStarts(2, false, 13);
    const sums = [alike(9, 20), alike(5, 10), alike(1, 4)];
    const [a, b, c] = [eValue(9, 20), eValue(5, 10), eValue(1, 4)];
    expect(averageLogE(starts, sums)).toBeCloseTo(Math.log(0.5 * a + (0.5 / 7) * (b + c + 5)), 6);
    const full = evidenceStarts(0, false, 47);
    expect(averageLogE(full, full.from.map(noSums))).toBeCloseTo(0, 9);
  });
});

describe('the strength of a hidden confounder', () => {
  it.each<[string, string, [number, number, number, number]]>([
    ['an endless estimate', 'range', [Infinity, 0, 1, 0.1]],
    ['ends in disorder', 'range', [0.5, 1, 0, 0.1]],
    ['a rate below zero', 'probability', [0.5, 0, 1, -0.1]],
    ['a rate above one', 'probability', [0.5, 0, 1, 1.1]],
  ])('is refused for %s: %s', (_name, code, args) => {
    expect(() => confoundingStrength(...args)).toThrow(refused(code));
  });
  it('is one at no effect, and the same for an effect and its inverse', () => {
    expect(confoundingStrength(0, -1, 1, 0.1)).toEqual({ estimate: 1, limit: 1 });
    expect(confoundingStrength(-0.7, -0.9, -0.2, 0.1)).toEqual(confoundingStrength(0.7, 0.2, 0.9, 0.1));
    // Up to a rate of .15 the odds ratio, above it its square root.
    const strength = (ratio: number): number => ratio + Math.sqrt(ratio * (ratio - 1));
    expect(confoundingStrength(Math.log(4), 0, 2, 0.15).estimate).toBeCloseTo(strength(4), 12);
    expect(confoundingStrength(Math.log(4), 0, 2, 0.16).estimate).toBeCloseTo(strength(2), 12);
  });
});
