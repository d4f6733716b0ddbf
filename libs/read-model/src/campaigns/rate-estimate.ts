import type { RateEstimate } from '@outcomes/contracts';
import { betaInterval } from '@outcomes/statistics';

export interface BetaPrior {
  readonly alpha: number;
  readonly beta: number;
}

/** Reply rates of a whole company: it needs no borrowed belief. */
export const JEFFREYS: BetaPrior = { alpha: 0.5, beta: 0.5 };
/** Half an event in 25 messages: what a sound sender sees of bounces, weak enough to be outweighed at once. */
export const BOUNCE_PRIOR: BetaPrior = { alpha: 0.5, beta: 24.5 };
/** Half an event in 50 messages, likewise for unsubscribes. */
export const UNSUBSCRIBE_PRIOR: BetaPrior = { alpha: 0.5, beta: 49.5 };

export function posterior(events: number, messages: number, { alpha, beta }: BetaPrior): BetaPrior {
  return { alpha: alpha + events, beta: beta + messages - events };
}

/** Posterior mean and 95 % equal-tailed interval of a share; nulls where there is nothing to count. */
export function rateEstimate(events: number, messages: number, prior: BetaPrior): RateEstimate {
  if (messages === 0) return { value: null, ci_low: null, ci_high: null, n: 0 };
  const { alpha, beta } = posterior(events, messages, prior);
  const { low, high } = betaInterval(alpha, beta, 0.95);
  return { value: alpha / (alpha + beta), ci_low: low, ci_high: high, n: messages };
}
