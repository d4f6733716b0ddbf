import { betaInterval } from '../numerics/beta-interval';
import { log } from '../numerics/log';
import { square } from '../numerics/square';
import { campaignVariance } from './campaign-spread';
import type { ScanResult } from './change-scan';
import { dayVariance, weighDays } from './day-effect';
import type { WindowResiduals } from './window-residuals';

/** A reply rate with its 95 % interval. */
export interface RateInterval {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

export interface RatesAround {
  /** at the window's mix of positions and steps, effects of days and campaigns taken out */
  readonly rateBefore: RateInterval;
  readonly rateAfter: RateInterval;
  /** odds of a reply at the rate after over those at the rate before */
  readonly ratio: number;
}

/** The cut was taken because it stood out: by simulation 95 % of these hold the rate after it, of plain ones 88 %. */
const NOMINAL_MASS = 0.99;
/** Log likelihood below the best by which a 95 % interval reaches: half a chi-square of 3.84. */
const INDISTINCT = 1.92;
/** No reply at all is no rate of zero. */
const FLOOR_REPLIES = 0.5;

type Pair = readonly [before: number, after: number];

/** The level of one side in plain sums, and how much a reply varies there beside one at the window's mean rate. */
interface Side {
  readonly level: number;
  readonly sends: number;
  readonly spread: number;
}

const odds = (rate: number): number => rate / (1 - rate);

function rateAt({ meanRate, meanVariance }: WindowResiduals, level: number, sends: number): number {
  const floor = FLOOR_REPLIES / sends;
  const rate = meanRate + meanVariance * level;
  return Math.min(Math.max(meanRate, 1 - floor), Math.max(Math.min(meanRate, floor), rate));
}

function sideOf(residuals: WindowResiduals, from: number, to: number): Side {
  let [R, V] = [0, 0];
  for (let d = from; d < to; d++) {
    R += residuals.dayResidual[d] as number;
    V += residuals.dayInformation[d] as number;
  }
  const { meanRate, meanVariance } = residuals;
  const sends = V / meanVariance;
  const rate = rateAt(residuals, R / V, sends);
  return { level: R / V, sends, spread: (rate * (1 - rate)) / (meanRate * (1 - meanRate)) };
}

/** What replies differ from the level of their own side, with the information that they carry at its own rate. */
function ownResiduals(
  residuals: WindowResiduals,
  cut: number,
  sides: readonly [Side, Side],
): WindowResiduals {
  const of = (at: number, firstAfter: number): Side => sides[at < firstAfter ? 0 : 1];
  const centred = (R: Float64Array, V: Float64Array, firstAfter: number): Float64Array =>
    R.map((r, at) => r - of(at, firstAfter).level * (V[at] as number));
  const own = (V: Float64Array, firstAfter: number): Float64Array =>
    V.map((v, at) => v * of(at, firstAfter).spread);
  const { residual, information, dayResidual, dayInformation } = residuals;
  const cell = residuals.start[cut] as number;
  return {
    ...residuals,
    residual: centred(residual, information, cell),
    information: own(information, cell),
    dayResidual: centred(dayResidual, dayInformation, cut),
    dayInformation: own(dayInformation, cut),
  };
}

/** Levels of both sides and their variances by generalised least squares: those of campaigns are random, across the cut. */
function fitSides(
  { start, campaign, campaigns, residual, information }: WindowResiduals,
  cut: number,
  variance: number,
): { readonly levels: Pair; readonly variances: Pair } {
  const sums = (): Float64Array => new Float64Array(campaigns);
  const [R0, V0, R1, V1] = [sums(), sums(), sums(), sums()];
  for (let cell = 0; cell < residual.length; cell++) {
    const [R, V] = cell < (start[cut] as number) ? [R0, V0] : [R1, V1];
    const c = campaign[cell] as number;
    R[c] = (R[c] as number) + (residual[cell] as number);
    V[c] = (V[c] as number) + (information[cell] as number);
  }
  let [before, both, after, scoreBefore, scoreAfter] = [0, 0, 0, 0, 0];
  for (let c = 0; c < campaigns; c++) {
    const [r0, v0, r1, v1] = [R0[c], V0[c], R1[c], V1[c]] as [number, number, number, number];
    const shared = variance / (1 + variance * (v0 + v1));
    before += v0 - shared * v0 * v0;
    both -= shared * v0 * v1;
    after += v1 - shared * v1 * v1;
    scoreBefore += r0 - shared * v0 * (r0 + r1);
    scoreAfter += r1 - shared * v1 * (r0 + r1);
  }
  const determinant = before * after - both * both;
  return {
    levels: [
      (after * scoreBefore - both * scoreAfter) / determinant,
      (before * scoreAfter - both * scoreBefore) / determinant,
    ],
    variances: [after / determinant, before / determinant],
  };
}

interface Fit {
  readonly cut: number;
  readonly sides: readonly [Side, Side];
  readonly own: WindowResiduals;
  readonly dayVariance: number;
  readonly logLikelihood: number;
}

/** One cut with all days as they were, and their likelihood around the levels of their sides. */
function fitAt(residuals: WindowResiduals, cut: number): Fit {
  const sides = [sideOf(residuals, 0, cut), sideOf(residuals, cut, residuals.day.length)] as const;
  const own = ownResiduals(residuals, cut, sides);
  const variance = dayVariance(own);
  let logLikelihood = 0;
  own.dayInformation.forEach((v, d) => {
    const spread = v * (1 + variance * v);
    logLikelihood -= 0.5 * (log(spread) + square(own.dayResidual[d] as number) / spread);
  });
  return { cut, sides, own, dayVariance: variance, logLikelihood };
}

/** Of the cuts that the scan hardly tells from the best one, the one that all days as they were speak for. */
function likeliestFit(residuals: WindowResiduals, { statistic, statistics }: ScanResult): Fit {
  const least = Math.max(Number.MIN_VALUE, statistic - INDISTINCT);
  let best: Fit | undefined;
  statistics.forEach((one, cut) => {
    if (one < least) return;
    const fit = fitAt(residuals, cut);
    if (!best || fit.logLikelihood > best.logLikelihood) best = fit;
  });
  return best as Fit;
}

/**
 * The rates before and after an accepted cut, at the window's mix of strata. They are fitted anew from all replies: the
 * scan takes the largest days for smaller ones, which must not hide a change, but would make it out to be smaller
 * than it was. Each side varies as replies do at its own rate, and days and campaigns around the level of their side.
 * Without effects of days and campaigns these are the observed rates, exactly; their intervals are those of as many
 * independent messages as would be as sure (Jeffreys), since a rate is none below zero.
 */
export function ratesAround(residuals: WindowResiduals, scan: ScanResult): RatesAround {
  const { cut, sides, own, dayVariance: variance } = likeliestFit(residuals, scan);
  const { levels, variances } = fitSides(weighDays(own, variance, Infinity), cut, campaignVariance(own));
  const [rateBefore, rateAfter] = sides.map(({ level, sends, spread }, i): RateInterval => {
    const rate = rateAt(residuals, level + spread * (levels[i] as number), sends);
    const variance = square(residuals.meanVariance * spread) * (variances[i] as number);
    const messages = (rate * (1 - rate)) / variance;
    const { low, high } = betaInterval(rate * messages + 0.5, (1 - rate) * messages + 0.5, NOMINAL_MASS);
    return { rate, low: Math.min(low, rate), high: Math.max(high, rate) };
  }) as [RateInterval, RateInterval];
  return { rateBefore, rateAfter, ratio: odds(rateAfter.rate) / odds(rateBefore.rate) };
}
