import { gammaQuantile, incompleteGamma } from '@outcomes/statistics';

/**
 * Weight of the belief that a campaign replies as expected, in expected replies. Small enough to leave the data
 * their say, large enough that no reply out of one expected is not read as a campaign without replies.
 */
const PRIOR_REPLIES = 1;
const TAIL = 0.025;

export interface ReplyRatio {
  /** Posterior mean of observed over expected; 1 means as the arms expect. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Probability that the true ratio is below 1. */
  readonly probabilityBelow: number;
}

/**
 * Observed over expected replies with Gamma-Poisson shrinkage and a 95 % equal-tailed interval.
 * @param observed - replies, >= 0
 * @param expected - replies that the arms expect for the same mix of messages, > 0
 */
export function replyRatio(observed: number, expected: number): ReplyRatio {
  const shape = PRIOR_REPLIES + observed;
  const rate = PRIOR_REPLIES + expected;
  return {
    ratio: shape / rate,
    low: gammaQuantile(TAIL, shape) / rate,
    high: gammaQuantile(1 - TAIL, shape) / rate,
    probabilityBelow: incompleteGamma(shape, rate).lower,
  };
}
