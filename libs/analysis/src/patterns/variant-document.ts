import type { VariantDocument, VariantRecord } from '@outcomes/contracts';
import { rounded } from '../documents/rounding';
import type { VariantFinding } from '../evidence/analyse-variants';

/** Of one campaign so many variants are kept, those with most messages: nobody compares more. */
const MAX_VARIANTS = 100;

/**
 * @param findings - campaign by campaign
 * @param randomized - campaigns all of whose variants were drawn by lot
 */
export function variantDocument(
  findings: readonly VariantFinding[],
  randomized: ReadonlySet<string | null>,
  dataAsOf: string,
): VariantDocument {
  const byCampaign = Map.groupBy(findings, ({ campaignId }) => campaignId);
  return {
    data_as_of: dataAsOf,
    variants: [...byCampaign].flatMap(([campaignId, variants]) =>
      mostUsed(variants).map((variant) => recordOf(variant, randomized.has(campaignId))),
    ),
  };
}

/** In their order. */
function mostUsed(variants: readonly VariantFinding[]): readonly VariantFinding[] {
  if (variants.length <= MAX_VARIANTS) return variants;
  const kept = new Set([...variants].sort((a, b) => b.n - a.n).slice(0, MAX_VARIANTS));
  return variants.filter((variant) => kept.has(variant));
}

function recordOf(finding: VariantFinding, isRandomized: boolean): VariantRecord {
  const { n, y, rate, logOr, low, high } = finding;
  return {
    campaign_id: finding.campaignId,
    variant_id: finding.variant,
    ...{ n, y },
    rate: n > 0 ? rounded(rate) : null,
    odds_ratio: rounded(Math.exp(logOr)),
    odds_ratio_low: rounded(Math.exp(low)),
    odds_ratio_high: rounded(Math.exp(high)),
    probability_positive: rounded(finding.probabilityPositive),
    e_value: rounded(finding.eValue),
    evidence_tier: finding.tier,
    basis: isRandomized ? 'randomized' : 'observational',
  };
}
