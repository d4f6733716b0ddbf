import { assessVariants, type VariantAssessment } from '@outcomes/statistics';
import type { CampaignEvidence } from './campaign-evidence';
import { unpackVariants } from './variant-cells';

/** A campaign's evidence, and the campaign by name. */
export interface NamedEvidence extends Pick<CampaignEvidence, 'variants'> {
  readonly campaignId: string | null;
}

/** A variant of a campaign against the campaign's other variants. */
export interface VariantFinding extends Omit<VariantAssessment, 'campaign'> {
  readonly campaignId: string | null;
}

/**
 * Judges the variants of all campaigns together, because what is claimed of them shares one false discovery rate.
 * @param campaigns - by first fortnight, then by key
 * @returns by campaign in that order, then by variant
 */
export function analyseVariants(campaigns: readonly NamedEvidence[]): VariantFinding[] {
  const counts = campaigns.flatMap(({ variants }, place) => unpackVariants(variants, place));
  return assessVariants(counts).map(({ campaign, ...own }) => ({
    campaignId: campaigns[campaign]?.campaignId ?? null,
    ...own,
  }));
}
