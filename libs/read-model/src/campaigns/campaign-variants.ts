import {
  EVIDENCE_TIERS,
  type CampaignHealth,
  type VariantDocument,
  type VariantRecord,
} from '@outcomes/contracts';
import { cleanText } from '../text/clean-text';
import { thatFit } from '../text/room';

/** So that an answer stays small. */
const MAX_VARIANTS = 20;

/**
 * Variants of a campaign, in their order; of many those with most messages.
 * @returns those that fit, and whether any are left out
 */
export function variantsOf(
  document: VariantDocument | undefined,
  campaignId: string,
  roomBytes: number,
): { readonly variants: CampaignHealth['variants']; readonly truncated: boolean } {
  const own = (document?.variants ?? [])
    .filter(({ campaign_id }) => campaign_id === campaignId)
    .map(({ campaign_id: _campaign, ...variant }) => ({
      ...variant,
      variant_id: cleanText(variant.variant_id),
    }));
  const mostUsed = [...own].sort((a, b) => b.n - a.n).slice(0, MAX_VARIANTS);
  const kept = new Set(thatFit(mostUsed, roomBytes));
  return { variants: own.filter((variant) => kept.has(variant)), truncated: kept.size < own.length };
}

/** @returns variants of which something is claimed, the strongest first; of one campaign where one is given */
export function variantClaims(
  document: VariantDocument | undefined,
  campaignId: string | null,
  limit: number,
): VariantRecord[] {
  const strength = ({ evidence_tier: tier }: VariantRecord) =>
    tier === null ? 0 : EVIDENCE_TIERS.length - EVIDENCE_TIERS.indexOf(tier);
  return (document?.variants ?? [])
    .filter((variant) => strength(variant) > 0 && (campaignId === null || variant.campaign_id === campaignId))
    .sort((a, b) => strength(b) - strength(a) || b.e_value - a.e_value)
    .slice(0, limit)
    .map((variant) => ({
      ...variant,
      campaign_id: variant.campaign_id === null ? null : cleanText(variant.campaign_id),
      variant_id: cleanText(variant.variant_id),
    }));
}
