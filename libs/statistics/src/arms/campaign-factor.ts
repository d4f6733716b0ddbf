import { requireDomain } from '../numerics/stats-domain-error';

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
