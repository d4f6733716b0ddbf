import {
  CHANNELS,
  LEVELS,
  type PatternRecord,
  type VariantDocument,
  type VolumeDocument,
} from '@outcomes/contracts';
import { RATE } from './planted-documents';

/** Variants of a campaign, the first of which is claimed. */
export function variants(dataAsOf: string, campaignId: string, count: number): VariantDocument {
  return {
    data_as_of: dataAsOf,
    variants: Array.from({ length: count }, (_, i) => ({
      ...{
        campaign_id: campaignId,
        variant_id: `subject-${i}-of-the-spring`,
        n: 12_345,
        y: 678,
        rate: 0.0549211,
      },
      ...{ odds_ratio: 1.31234, odds_ratio_low: 1.12345, odds_ratio_high: 1.54321, e_value: 12_345.6 },
      ...{ probability_positive: 0.998765, evidence_tier: 'confirmed', basis: 'observational' },
    })),
  };
}

export function volumes(dataAsOf: string): VolumeDocument {
  const levels = LEVELS.map((_, index) => 1_000 + index);
  return {
    data_as_of: dataAsOf,
    channels: CHANNELS.map((channel) => ({ channel, messages: 12_345, levels })),
  };
}

export function patterns(companyId: string, updated: string): PatternRecord[] {
  return Array.from({ length: 20 }, (_, index) => ({
    companyId,
    code: `TA-${index + 1}`,
    title: '<b>Direct tone</b> gets replies',
    message: 'Messages in a direct tone are answered more often than others, all else equal. Do more of it.',
    type: 'recommendation',
    positive: index % 4 !== 3,
    tier: index < 4 ? 3 : index < 10 ? 2 : 1,
    evidence_tier: index < 4 ? 'confirmed' : index < 10 ? 'likely' : 'directional',
    updated,
    evidence: {
      e_value: 45.6,
      odds_ratio: 1.31,
      odds_ratio_low: 1.12,
      odds_ratio_high: 1.54,
      probability_positive: 0.9987654321,
      lift: 0.287654321,
      lift_low: 0.112345678,
      lift_high: 0.512345678,
      odds_ratio_expected: 1.21,
      n_campaigns: 14,
      n_campaigns_with: 16,
      n_campaigns_without: 15,
      confounding_e_value_limit: 1.4,
      n_texts_with: 62.3456,
      n_texts_without: 91.2345,
      compared_share: 0.912345,
      counted_since: '2025-06-02',
      trial_sends: null,
      with_rate: RATE,
      without_rate: RATE,
      confounding_e_value: 1.9,
      sends_to_decide: null,
      basis: 'observational',
    },
  }));
}
