import { incompleteBetaUpper, logBeta } from '@outcomes/statistics';

/** A rate that a campaign must not exceed, and where rates above it are looked for. */
export interface Guard {
  /** The highest tolerable rate. */
  readonly limit: number;
  /** Beta shape of the mixture over rates above the limit: its mean is what trouble usually looks like. */
  readonly alpha: number;
  readonly beta: number;
}

/** Bounces: trouble is about one in ten. */
export const BOUNCE_GUARD: Guard = { limit: 0.03, alpha: 2, beta: 18 };
/** Unsubscribes: trouble is about one in twenty-five. */
export const UNSUBSCRIBE_GUARD: Guard = { limit: 0.01, alpha: 2, beta: 48 };

/** By Ville's inequality a campaign within its limit ever reaches this with a probability of at most 1 in 20. */
export const CRITICAL_E_VALUE = 20;

/**
 * One-sided Bernoulli mixture e-value against `rate <= limit`.
 * @param events - bounces or unsubscribes so far, a whole number
 * @param messages - messages so far, at least `events`
 * @returns the e-value, >= 0; 1 before the first message
 *
 * Counted from the first message of a campaign on, it may be looked at after every message: the chance that a
 * sound campaign ever shows 20 stays below 5 %. The mixture is a Beta cut off at the limit, so that the integral
 * is a ratio of incomplete beta functions and depends on the counts alone.
 * Reference: Ramdas et al., Game-Theoretic Statistics and Safe Anytime-Valid Inference (2023), section 3.
 */
export function guardEValue(events: number, messages: number, { limit, alpha, beta }: Guard): number {
  const rest = messages - events;
  const logRatio =
    logBeta(alpha + events, beta + rest) -
    logBeta(alpha, beta) -
    events * Math.log(limit) -
    rest * Math.log1p(-limit);
  const above =
    incompleteBetaUpper(limit, alpha + events, beta + rest) / incompleteBetaUpper(limit, alpha, beta);
  return Math.exp(Math.min(logRatio, 700)) * above;
}
