export { alwaysValidInterval } from './always-valid-interval';
export { assessEvidence, familiesOf } from './assess-evidence';
export { type CampaignScores, scoreCampaign } from './campaign-scores';
export { claimTiers, type ClaimTier, confirmedAtLogE, FALSE_SHARE, rejectByLogE } from './claim-tiers';
export {
  type ClaimStrength,
  type CompanionCounts,
  type CompanionPair,
  companionPairs,
  type CompanionStratum,
} from './companions';
export { confoundingStrength } from './confounding-strength';
export { contrastScore, type ContrastScore } from './contrast-score';
export type { EffectChange } from './effect-change';
export { effectPosterior, type EffectPosterior } from './effect-posterior';
export type { EvidenceAssessment, EvidenceJudgement, NoClaimReason } from './evidence-assessment';
export { type EvidenceCounts, type EvidenceCell, TEXT_BINS, type TextCounts } from './evidence-counts';
export {
  type DimensionKind,
  type EvidenceCode,
  evidenceDesign,
  type EvidenceDesign,
  type EvidenceDimension,
} from './evidence-design';
export { type EvidenceSums, SIGMAS } from './evidence-sums';
export type { FamilyEvidence } from './evidence-units';
export type { EvidenceOptions, EvidenceRules } from './evidence-grounds';
export {
  type AdvisedMessages,
  type EffectOdds,
  expectedGain,
  type ExpectedGain,
  type RatePair,
  ratesAtOdds,
} from './expected-gain';
export { EvidenceFold } from './evidence-fold';
export { type FoldedFamily, type FoldedPair, type FoldQuestions, NO_QUESTIONS } from './fold-parts';
export { judgeEvidence, judgeFold } from './judge-evidence';
export { logEValue } from './log-e-value';
export { sendsOfTrial, sendsToConfirm, TRIAL_ODDS_RATIO } from './sends-to-confirm';
export { textFamilies } from './text-families';
export { textSpread, type TextSpread } from './text-spread';
export { assessVariants, type VariantAssessment, type VariantCounts } from './variant-evidence';
