import { assessVariants, type VariantAssessment } from '@outcomes/statistics';
import type { CampaignVariants } from './company-evidence';
import { unpackVariants } from './variant-cells';

/** A variant of a campaign against the campaign's other variants. */
export interface VariantFinding extends Omit<VariantAssessment, 'campaign'> {
  readonly campaignId: string | null;
}

/**
 * Judges the variants of all campaigns together, because what is claimed of them shares one false discovery rate.
 * @param campaigns - by first fortnight, then by key
 * @returns by campaign in that order, then by variant
 */
export function analyseVariants(campaigns: readonly CampaignVariants[]): VariantFinding[] {
  const counts = campaigns.flatMap(({ variants }, place) => unpackVariants(variants, place));
  return assessVariants(counts).map(({ campaign, ...own }) => ({
    campaignId: campaigns[campaign]?.campaignId ?? null,
    ...own,
  }));
}
