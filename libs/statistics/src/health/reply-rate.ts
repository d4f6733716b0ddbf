import type { BetaShape } from '../arms/best-arm';
import { requireDomain } from '../numerics/stats-domain-error';
import type { ReplyRatio } from './reply-ratio';

export interface CampaignRate {
  /** posterior mean of the campaign's true reply rate */
  readonly value: number;
  /** 95 % equal-tailed interval */
  readonly low: number;
  readonly high: number;
  /** Beta of the same mean that as many replies stand behind, to compare the rate with others */
  readonly posterior: BetaShape;
}

/** Of a rate of one, too, something is unknown: half a message without an answer. */
const LEAST_BETA = 0.5;

/**
 * Reply rate of a campaign: its ratio times what the arms expect of its messages.
 *
 * Rate and ratio are the same belief, so neither can contradict the other. The spread is that of campaigns: arms say
 * how far positions differ, and where these are all alike, nothing of how far campaigns do.
 *
 * Shapes: one ratio and a scalar in, one rate out.
 * @param ratio - of the campaign, as `replyRatios` gives it
 * @param expectedRate - expected replies over messages, in (0, 1]
 * @returns rate with its 95 % interval, none of them above one
 * @throws StatsDomainError with code `probability`
 *
 * Reference: as `replyRatios`.
 * Oracle: coverage by simulation, verify:statistics.
 *
 * @example
 * campaignRate(replyRatios([{ observed: 40, expected: 20 }])[0], 0.05).value; // 0.0896
 */
export function campaignRate(
  ratio: Pick<ReplyRatio, 'ratio' | 'low' | 'high' | 'shape'>,
  expectedRate: number,
): CampaignRate {
  requireDomain(
    expectedRate > 0 && expectedRate <= 1,
    'probability',
    'an expected reply rate must lie in (0, 1]',
  );
  const value = Math.min(1, ratio.ratio * expectedRate);
  return {
    value,
    low: Math.min(1, ratio.low * expectedRate),
    high: Math.min(1, ratio.high * expectedRate),
    posterior: { alpha: ratio.shape, beta: Math.max(LEAST_BETA, (ratio.shape * (1 - value)) / value) },
  };
}
