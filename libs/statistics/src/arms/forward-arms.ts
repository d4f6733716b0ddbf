import { betaInterval } from '../numerics/beta-interval';
import { requireDomain } from '../numerics/stats-domain-error';
import type { ArmCounts, ArmFitOptions, ArmPosterior, ArmsFit } from './arm-types';
import type { BetaShape } from './best-arm';
import { fitArms } from './fit-arms';
import { widened } from './widen';

/** A posterior of a mean rate in the time to come, with its equal-tailed interval. */
export interface ForwardRate extends BetaShape {
  readonly low: number;
  readonly high: number;
}

export interface ForwardArm extends ArmPosterior {
  /** of the next 30 days' mean rate; same mean as the posterior, exactly as alpha / (alpha + beta) */
  readonly target: ForwardRate;
  /** of the next 7 days' */
  readonly current: ForwardRate;
}

/** Forward variances, on the logit: each the larger of what the memory has seen and of what campaigns turn over. */
export interface ForwardVariances {
  readonly target: number;
  readonly current: number;
}

/**
 * Arms with the intervals of the rates to come. What a rate may move widens its interval; which arm is best is a
 * question about what is known, so the probabilities of being best take the shapes before they are widened.
 *
 * Shapes: K arms in, K posteriors out, in the same order.
 * @param counts - discounted counts per arm, as `ArmMemory.counts` gives them
 * @param variances - forward variances for 30 and for 7 days, finite, >= 0
 * @param options - hyper-prior and interval mass, as `fitArms`
 * @returns the posteriors of `fitArms`, each with its two forward rates
 * @throws StatsDomainError with code `count`, `mass` or `range`
 *
 * Reference: as `fitArms` and `widen`. Oracle: fixtures/change.json (prototype of the design), rtol 2e-3.
 *
 * @example
 * forwardArms([{ n: 200, y: 10 }, { n: 20, y: 0 }], { target: 0.09, current: 0.01 }).arms[0].target.high; // 0.0947
 */
export function forwardArms(
  counts: readonly ArmCounts[],
  variances: ForwardVariances,
  options: ArmFitOptions = {},
): ArmsFit<ForwardArm> {
  for (const variance of [variances.target, variances.current])
    requireDomain(variance >= 0 && variance < Infinity, 'range', 'a variance must be finite and >= 0');
  const { arms, hyper, unseen } = fitArms(counts, options);
  const ahead = (arm: BetaShape, variance: number): ForwardRate => {
    const { alpha, beta } = widened(arm, variance);
    return { alpha, beta, ...betaInterval(alpha, beta, options.mass ?? 0.95) };
  };
  return {
    arms: arms.map((arm) => ({
      ...arm,
      target: ahead(arm, variances.target),
      current: ahead(arm, variances.current),
    })),
    hyper,
    unseen,
  };
}
