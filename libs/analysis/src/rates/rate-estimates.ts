import type { RateEstimate } from '@outcomes/contracts';
import { fitRates } from '@outcomes/statistics';
import { rounded } from '../documents/rounding';

/** Messages and replies of one group. */
export interface GroupCounts {
  /** messages as people count them */
  readonly messages: number;
  readonly replies: number;
  /** messages weighted by how much of their replies may be expected to have come, 0 of those too young to count; <= messages */
  readonly settled: number;
  /** replies to messages that are old enough to count; <= replies */
  readonly answered: number;
}

/**
 * Reply rates of groups that are of one kind (levels of a dimension, positions), pooled towards one another, so
 * that the rate of a small group is neither 0 % nor 100 % by luck.
 * @returns one estimate per group, in order; nulls where the group has no message that is old enough to count
 */
export function pooledRates(groups: readonly GroupCounts[]): RateEstimate[] {
  const filled = groups.filter((group) => group.settled > 0);
  const fit = fitRates(
    filled.map(({ settled, answered }) => ({ n: Math.max(settled, answered), y: answered })),
  );
  const posteriors = fit.arms.values();
  return groups.map(({ messages, settled }) => {
    const posterior = settled > 0 ? posteriors.next().value : undefined;
    if (posterior === undefined) return { value: null, ci_low: null, ci_high: null, n: messages };
    return {
      value: rounded(posterior.mean),
      ci_low: rounded(posterior.low),
      ci_high: rounded(posterior.high),
      n: messages,
    };
  });
}
