import { exp } from '../numerics/exp';

/** Half-lives, in days, between which the memory of the arms is averaged. */
export const HALF_LIVES = [7, 15, 30, 60, 120, 240, Infinity] as const;

/** Standard deviations, on the logit, of what a rate may move until the forecast window. */
export const FORWARD_SDS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.65, 0.9, 1.25, 1.75] as const;

/** What a day's counts weigh at an age, under one half-life. */
export const decay = (halfLife: number, days: number): number => exp((-Math.LN2 * days) / halfLife);
