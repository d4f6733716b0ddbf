import { betaInterval } from '../numerics/beta-interval';
import { square } from '../numerics/square';
import type { FittedStep } from './change-scan';
import type { WindowResiduals } from './window-residuals';

/** A reply rate with its 95 % interval. */
export interface RateInterval {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** The cut was taken because it stood out: by simulation 95 % of these hold the rate after it, of plain ones 88 %. */
const NOMINAL_MASS = 0.99;
/** No reply at all is no rate of zero. */
const FLOOR_REPLIES = 0.5;

/**
 * Rate of one side of a cut at the window's mix of strata. The level is linear around the pooled rates, so that
 * without effects of days and campaigns this is the observed rate, exactly; its interval is a Beta of the same mean
 * and variance, since a rate is none below zero.
 */
function sideRate(residuals: WindowResiduals, level: number, levelVariance: number): RateInterval {
  const { meanRate, meanVariance, sends } = residuals;
  const floor = Math.min(meanRate, FLOOR_REPLIES / sends);
  const rate = Math.min(1 - floor, Math.max(floor, meanRate + meanVariance * level));
  // The information was taken at the pooled rates; that of a rarer reply varies less.
  const variance = square(meanVariance) * levelVariance * (rate / meanRate);
  const shape = Math.max(1, (rate * (1 - rate)) / variance - 1);
  return { rate, ...betaInterval(rate * shape, (1 - rate) * shape, NOMINAL_MASS) };
}

/** The rates before and after a cut: they differ in the direction of the fitted step, whatever the mix did. */
export function ratesAround(
  residuals: WindowResiduals,
  { before, step, beforeVariance, afterVariance }: FittedStep,
): { readonly rateBefore: RateInterval; readonly rateAfter: RateInterval } {
  return {
    rateBefore: sideRate(residuals, before, beforeVariance),
    rateAfter: sideRate(residuals, before + step, afterVariance),
  };
}
