import type { Channel } from '../outcomes/dimensions';
import type { ClaimEndReason, EvidenceTier, PatternEvidence, RateEstimate, VariantRecord } from './documents';
import type { NumberSource, ResultFrame, Trust } from './results';

/** What an effect rests on. */
export type EvidenceRecord = Pick<
  PatternEvidence,
  | 'e_value'
  | 'odds_ratio'
  | 'odds_ratio_low'
  | 'odds_ratio_high'
  | 'n_campaigns'
  | 'n_texts_with'
  | 'n_texts_without'
  | 'compared_share'
  | 'counted_since'
  | 'sends_to_decide'
  | 'basis'
>;

export interface Recommendation {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly category: readonly string[];
  readonly positive: boolean;
  readonly tier: number;
  readonly evidence_tier: EvidenceTier;
  readonly channel: Channel | null;
  readonly effect: {
    readonly with_rate: RateEstimate;
    readonly without_rate: RateEstimate;
    /** Day since when replies are at the level that the two are of; null where they are as observed. */
    readonly level_since: string | null;
    readonly lift: number | null;
    readonly probability_positive: number | null;
  };
  /** null where the patterns stem from before an upgrade that is still under way. */
  readonly evidence: EvidenceRecord | null;
  readonly sample_size: number;
  readonly data_source: NumberSource;
  readonly updated: string;
}

/** Codes that nothing is claimed of, for one reason. */
export interface UndecidedCodes {
  readonly reason: ClaimEndReason;
  readonly message: string;
  readonly codes: readonly string[];
}

export interface CampaignRecommendations extends ResultFrame, Trust {
  readonly requested_campaign_id: string | null;
  readonly recommendation_count: number;
  readonly recommendations: readonly Recommendation[];
  readonly by_evidence_tier: Readonly<Record<EvidenceTier, number>>;
  /** Variants of which something is claimed, of the requested campaign where one is named. */
  readonly variants: readonly VariantRecord[];
  readonly undecided: readonly UndecidedCodes[];
}
