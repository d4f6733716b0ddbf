import type { ClaimTier } from './claim-tiers';
import type { CompanionPair } from './companions';
import type { EffectChange } from './effect-change';
import type { EffectEstimate } from './effect-estimate';

/**
 * Why a code is not claimed:
 * - no_data: no message carries the level, or none another level of its dimension
 * - varies_between_campaigns: no campaign sends both sides to like recipients, so copy and audience cannot be told apart
 * - few_texts: what is compared are a few texts, however many messages were sent
 * - goes_with: explained by a stronger code, see `goesWith`
 * - changed: an effect ended; evidence counts anew since
 * - survivors: steps are described only, since those who answered get no next one
 * - undecided: see `sendsToDecide`
 */
export type NoClaimReason =
  'no_data' | 'varies_between_campaigns' | 'few_texts' | 'goes_with' | 'changed' | 'survivors' | 'undecided';

export interface EvidenceAssessment extends EffectEstimate {
  readonly code: string;
  readonly dimension: string;
  readonly tier: ClaimTier | null;
  /** anytime-valid evidence against "no effect" after all rules; capped at 1e300 */
  readonly eValue: number;
  /** relative change of the reply rate, with its always-valid interval */
  readonly lift: number;
  readonly liftLow: number;
  readonly liftHigh: number;
  /** messages and replies with the level and with others, since `countedSince` */
  readonly n: number;
  readonly y: number;
  readonly nOther: number;
  readonly yOther: number;
  /** campaigns inside which both sides are compared */
  readonly campaigns: number;
  /** campaigns that send messages with the level, with others, and both */
  readonly campaignsWith: number;
  readonly campaignsWithout: number;
  readonly campaignsWithBoth: number;
  /** effective numbers of texts, or of days for weekday and daypart */
  readonly textsWith: number;
  readonly textsWithout: number;
  /** share of the dimension's messages that are in cells with both sides */
  readonly comparedShare: number;
  /** enough texts or days to take part in the multiple testing */
  readonly eligible: boolean;
  /** fortnight from which estimate and evidence count; null without any message */
  readonly countedSince: number | null;
  readonly change: EffectChange | null;
  /** further messages like those so far until confirmed; 0 once it is, null where more of them would not do */
  readonly sendsToDecide: number | null;
  /**
   * messages, half of them with the level, that confirm an odds ratio of TRIAL_ODDS_RATIO inside one campaign whose
   * texts are sent both ways; null for a claim, without any reply, and where no trial would help
   */
  readonly trialSends: number | null;
  /** null for a claim */
  readonly reason: NoClaimReason | null;
  /** the stronger code for `goes_with`, else null */
  readonly goesWith: string | null;
}

export interface EvidenceJudgement {
  /** one per code, in the order of the catalogue */
  readonly assessments: readonly EvidenceAssessment[];
  /** pairs whose strata must be counted and handed in before the claims may be served */
  readonly pairs: readonly CompanionPair[];
}
