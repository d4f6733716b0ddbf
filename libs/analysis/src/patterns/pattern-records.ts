import {
  DIMENSIONS,
  levelIndex,
  type DimensionName,
  type EvidenceTier,
  type NoClaimReason,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';
import type { ClaimHistory } from '../evidence/claim-history';
import { observationCodeOf } from './level-label';
import { TIERS, type PatternFinding } from './pattern-finding';
import * as messages from './pattern-messages';
import * as silence from './undecided-messages';

export interface PatternInputs {
  readonly companyId: string;
  /** Claims first, the strongest at their head. */
  readonly findings: readonly PatternFinding[];
  /** Reply rates per level of LEVELS. */
  readonly levelRates: readonly RateEstimate[];
  /** What the record of claims says, this run's rows among them; by code. */
  readonly histories: ReadonlyMap<string, ClaimHistory>;
  /** Time of writing. */
  readonly updated: string;
}

/**
 * All records of a company: recommendations, strongest first; then what was retracted; then why nothing is claimed of
 * the other codes that messages carry; then one observation for every dimension that has data and no recommendation.
 */
export function patternRecords(inputs: PatternInputs): PatternRecord[] {
  const { findings, histories } = inputs;
  const claimed = findings.filter(({ assessment }) => assessment.tier !== null);
  const others = findings.filter(({ assessment }) => assessment.tier === null);
  const wasRetracted = ({ pattern }: PatternFinding) =>
    histories.get(pattern.code)?.retractedAt !== undefined;
  return [
    ...claimed.map((finding) => recommendation(finding, inputs)),
    ...others.filter(wasRetracted).map((finding) => retraction(finding, inputs)),
    ...others
      .filter((finding) => finding.assessment.n > 0 && !wasRetracted(finding))
      .map((finding) => undecided(finding, inputs)),
    ...observations(new Set(claimed.map(({ pattern }) => pattern.dimension)), inputs),
  ];
}

function recommendation(finding: PatternFinding, inputs: PatternInputs): PatternRecord {
  const { assessment, evidence } = finding;
  const tier = assessment.tier as EvidenceTier;
  return {
    ...{ companyId: inputs.companyId, code: finding.pattern.code },
    title: messages.findingTitle(finding),
    message: messages.findingMessage(finding, tier),
    type: 'recommendation',
    positive: evidence.odds_ratio > 1,
    tier: TIERS[tier],
    updated: inputs.updated,
    evidence_tier: tier,
    metric: messages.rateSummary(finding),
    evidence,
    ...datesOf(finding, inputs),
  };
}

function retraction(finding: PatternFinding, inputs: PatternInputs): PatternRecord {
  const history = inputs.histories.get(finding.pattern.code) as ClaimHistory;
  const reason = history.isErased ? 'erased' : reasonOf(finding);
  return {
    ...{ companyId: inputs.companyId, code: finding.pattern.code },
    title: silence.retractionTitle(finding, history.firstConfirmedAt !== undefined),
    message: silence.retractionMessage(finding, reason),
    type: 'retraction',
    ...silent(finding, inputs),
    reason,
  };
}

function undecided(finding: PatternFinding, inputs: PatternInputs): PatternRecord {
  return {
    ...{ companyId: inputs.companyId, code: finding.pattern.code },
    title: silence.undecidedTitle(finding, reasonOf(finding)),
    message: silence.undecidedMessage(finding, reasonOf(finding)),
    type: 'undecided',
    ...silent(finding, inputs),
    reason: reasonOf(finding),
  };
}

/** What records without a claim have in common. */
function silent(finding: PatternFinding, inputs: PatternInputs) {
  const { assessment, evidence } = finding;
  return {
    tier: 0,
    updated: inputs.updated,
    metric: messages.rateSummary(finding),
    evidence,
    ...(assessment.goesWith !== null && { goes_with: assessment.goesWith }),
    ...datesOf(finding, inputs),
  };
}

/** The statistics give a reason for every code that they do not claim. */
function reasonOf({ assessment }: PatternFinding) {
  return assessment.reason ?? 'undecided';
}

function datesOf({ pattern }: PatternFinding, { histories }: PatternInputs) {
  const { firstConfirmedAt, retractedAt } = histories.get(pattern.code) ?? {};
  return {
    ...(firstConfirmedAt && { first_confirmed_at: firstConfirmedAt.toISOString() }),
    ...(retractedAt && { retracted_at: retractedAt.toISOString() }),
  };
}

function observations(explained: ReadonlySet<DimensionName>, inputs: PatternInputs): PatternRecord[] {
  return DIMENSIONS.flatMap(({ name, levels }) => {
    const observed = levels.flatMap((level) => {
      const rate = inputs.levelRates[levelIndex(name, level)];
      return rate !== undefined && rate.n > 0 ? [{ level, rate }] : [];
    });
    if (explained.has(name) || observed.length === 0) return [];
    return [
      {
        companyId: inputs.companyId,
        code: observationCodeOf(name),
        title: messages.observationTitle(name),
        message: messages.observationMessage(name, observed),
        tier: 0,
        updated: inputs.updated,
        reason: observationReason(name, observed.length),
        levels: observed,
      },
    ];
  });
}

function observationReason(dimension: DimensionName, levels: number): NoClaimReason {
  if (levels === 1) return 'no_data';
  // Whoever answers gets no further message: later steps go to other people.
  return dimension === 'sequence_step' ? 'survivors' : 'undecided';
}
