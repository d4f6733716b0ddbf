import type { RateEstimate } from './documents';

export const EVIDENCE_TIERS = ['confirmed', 'likely', 'directional'] as const;
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number];

/** Why nothing is claimed of a code whose messages are known. */
export const NO_CLAIM_REASONS = [
  'no_data',
  'varies_between_campaigns',
  'few_texts',
  'goes_with',
  'changed',
  'survivors',
  'undecided',
] as const;
export type NoClaimReason = (typeof NO_CLAIM_REASONS)[number];

/** Why a code's claim ended: as above, or messages that it rested on were erased. */
export const CLAIM_END_REASONS = [...NO_CLAIM_REASONS, 'erased'] as const;
export type ClaimEndReason = (typeof CLAIM_END_REASONS)[number];

/** How messages came to be what they are: drawn by lot, or chosen, perhaps by what was known of the recipient. */
export type EvidenceBasis = 'randomized' | 'observational';

/** Element of GET /patterns: the specification's record, and additive fields with the evidence. */
export interface PatternRecord {
  readonly companyId: string;
  readonly code: string;
  readonly title?: string;
  readonly message?: string;
  readonly type?: string;
  readonly positive?: boolean;
  /** 3 confirmed, 2 likely, 1 directional, 0 nothing claimed. */
  readonly tier?: number;
  readonly updated?: string;
  readonly evidence_tier?: EvidenceTier;
  readonly metric?: string;
  readonly evidence?: PatternEvidence;
  /** Why nothing is claimed; only where nothing is. */
  readonly reason?: ClaimEndReason;
  /** The stronger code that explains this one; only for the reason `goes_with`. */
  readonly goes_with?: string;
  /** Set where the code was confirmed at some time. */
  readonly first_confirmed_at?: string;
  /** Set where the code was claimed as confirmed or likely, and is claimed as neither now. */
  readonly retracted_at?: string;
}

/** Counts are of settled messages since `counted_since`. */
export interface PatternEvidence {
  readonly e_value: number;
  /** Compared inside campaign, fortnight, step, position and channel; its interval may be looked at every day. */
  readonly odds_ratio: number;
  readonly odds_ratio_low: number;
  readonly odds_ratio_high: number;
  readonly probability_positive: number;
  /** Relative change of the reply rate, 0.25 = a quarter more replies. */
  readonly lift: number;
  readonly lift_low: number;
  readonly lift_high: number;
  readonly with_rate: RateEstimate;
  readonly without_rate: RateEstimate;
  /**
   * Where replies changed after `counted_since`: the two rates are at the level of replies since this day, YYYY-MM-DD.
   * Absent where they are as observed.
   */
  readonly level_since?: string;
  /** Campaigns inside which messages with it and without it are compared. */
  readonly n_campaigns: number;
  /** Effective numbers of texts; of days for weekdays and times of day. */
  readonly n_texts_with: number;
  readonly n_texts_without: number;
  /** Share of the messages that are compared with any of the other side. */
  readonly compared_share: number;
  /** First send day that counts, YYYY-MM-DD; null without any message. */
  readonly counted_since: string | null;
  /** How strong a hidden cause would have to be to explain the effect away (risk-ratio scale, >= 1). */
  readonly confounding_e_value: number;
  /** Further messages like those so far until it is confirmed; null where more of them would not do. */
  readonly sends_to_decide: number | null;
  /**
   * Messages of a trial that would confirm 50 % more replies: half of them with it, by lot inside one campaign.
   * null where something is claimed, and where no trial would tell.
   */
  readonly trial_sends: number | null;
  readonly basis: EvidenceBasis;
}

/** A variant of a campaign against the campaign's other variants: a claim about these texts and no others. */
export interface VariantRecord {
  /** null for messages that name no campaign */
  readonly campaign_id: string | null;
  readonly variant_id: string;
  /** Settled messages and the replies to them. */
  readonly n: number;
  readonly y: number;
  readonly rate: number | null;
  readonly odds_ratio: number;
  readonly odds_ratio_low: number;
  readonly odds_ratio_high: number;
  readonly probability_positive: number;
  readonly e_value: number;
  /** null where nothing is claimed */
  readonly evidence_tier: EvidenceTier | null;
  readonly basis: EvidenceBasis;
}

/** Document `variants`, campaign by campaign. */
export interface VariantDocument {
  readonly data_as_of: string;
  readonly variants: readonly VariantRecord[];
}
