import { isShape, requireDomain } from '../numerics/stats-domain-error';
import type { BetaShape } from './best-arm';

/** What is known of a running campaign, beside its arms. */
export interface CampaignRecord {
  /** its replies so far, >= 0 */
  readonly replies: number;
  /** replies that the arms expect of the same sends, >= 0 */
  readonly expected: number;
  /** variance of the campaigns' levels on the logit, >= 0 */
  readonly variance: number;
}

/**
 * What a running campaign multiplies its arms' rates by: its replies over those that the arms expect, shrunk towards
 * one by how little campaigns differ.
 *
 * Shapes: scalars in, scalar out.
 * @param replies - of the campaign, >= 0
 * @param expected - replies that the arms expect of the campaign's sends, finite, >= 0
 * @param campaignVariance - variance of the campaigns' levels on the logit, finite, >= 0
 * @returns (replies + 1 / variance) / (expected + 1 / variance), > 0; 1 where campaigns do not differ
 * @throws StatsDomainError with code `count` or `range`
 *
 * Reference: Clayton and Kaldor (1987), Biometrics 43, 671-681 (Gamma-Poisson shrinkage of observed over expected).
 *
 * @example
 * campaignFactor(30, 20, 0.25); // 1.4166667
 */
export function campaignFactor(replies: number, expected: number, campaignVariance: number): number {
  requireDomain(
    replies >= 0 && replies < Infinity && expected >= 0 && expected < Infinity,
    'count',
    'replies must be finite and >= 0',
  );
  requireDomain(
    campaignVariance >= 0 && campaignVariance < Infinity,
    'range',
    'a variance must be finite and >= 0',
  );
  // The same fraction times the variance: no division by a variance of zero.
  return (campaignVariance * replies + 1) / (campaignVariance * expected + 1);
}

/**
 * An arm's posterior inside one running campaign: its mean times the campaign's factor, its spread on the logit
 * widened by what is not known of the campaign yet. A new campaign has the arm's mean and the spread of campaigns.
 *
 * Shapes: one pair and one record in, one pair out.
 * @param arm - Beta shapes, each finite and > 0
 * @param record - replies, expected replies and the campaigns' variance, finite, >= 0
 * @returns shapes of mean factor x mean, at most half-way from the arm's mean to one, and of logit variance
 * 1 / alpha + 1 / beta + 1 / (replies + 1 / variance); the arm's own where campaigns do not differ
 * @throws StatsDomainError with code `shape`, `count` or `range`
 *
 * Reference: as `campaignFactor`, whose Gamma posterior has the relative variance 1 / (replies + 1 / variance).
 *
 * @example
 * armInCampaign({ alpha: 50, beta: 950 }, { replies: 30, expected: 20, variance: 0.25 }); // { alpha: 21.326584, beta: 279.7546 }
 */
export function armInCampaign(arm: BetaShape, record: CampaignRecord): BetaShape {
  const { alpha, beta } = arm;
  requireDomain(isShape(alpha) && isShape(beta), 'shape', 'Beta shapes must be > 0');
  const { replies, expected, variance } = record;
  const factor = campaignFactor(replies, expected, variance);
  if (variance === 0) return { alpha, beta };
  const armMean = alpha / (alpha + beta);
  // A rate ratio knows no upper end: of an arm that is mostly answered it must not make a certainty.
  const mean = Math.min(factor * armMean, (1 + armMean) / 2);
  const spread = 1 / alpha + 1 / beta + variance / (variance * replies + 1);
  const size = 1 / (mean * (1 - mean) * spread);
  return { alpha: mean * size, beta: (1 - mean) * size };
}
