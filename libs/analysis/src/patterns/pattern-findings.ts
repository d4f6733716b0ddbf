import {
  levelIndexesOf,
  PATTERN_CATALOGUE,
  type ChannelVolume,
  type DriftDocument,
  type PatternDefinition,
  type PatternEvidence,
  type RateEstimate,
} from '@outcomes/contracts';
import { confoundingStrength, type EvidenceAssessment } from '@outcomes/statistics';
import { isoDay } from '../cohorts/days';
import type { CohortTable } from '../cohorts/cohort-table';
import { rounded } from '../documents/rounding';
import { EVIDENCE_DESIGN } from '../evidence/evidence-design';
import { firstDayOf } from '../evidence/matured-fortnights';
import { pooledRates } from '../rates/rate-estimates';
import { TIERS, type PatternFinding } from './pattern-finding';
import { adjustedEvidence, replyLevel } from './adjusted-evidence';

const OF_TEXT: ReadonlySet<string> = new Set(
  EVIDENCE_DESIGN.dimensions.filter(({ kind }) => kind === 'text').map(({ name }) => name),
);

const PATTERN_OF_CODE: ReadonlyMap<string, PatternDefinition> = new Map(
  PATTERN_CATALOGUE.map((pattern) => [pattern.code, pattern]),
);

/**
 * What is found of every code: claims first, the strongest at their head, then the others in the order of the catalogue.
 * @param volumes - what the channels send, as it stands
 */
export function patternFindings(
  assessments: readonly EvidenceAssessment[],
  table: CohortTable,
  drift: Pick<DriftDocument, 'channels'>,
  volumes: readonly ChannelVolume[] = [],
): PatternFinding[] {
  const findings = assessments.flatMap((assessment): PatternFinding[] => {
    const pattern = PATTERN_OF_CODE.get(assessment.code);
    if (!pattern) return [];
    const observed = evidenceOf(assessment, basisOf(pattern, table));
    // Of what nothing is claimed, what was seen is told as it was seen.
    const evidence =
      assessment.tier === null
        ? observed
        : adjustedEvidence(
            observed,
            rateOf(assessment),
            replyLevel(drift, volumes, levelIndexesOf(pattern.dimension)),
          );
    return [{ pattern, assessment, evidence }];
  });
  const rank = ({ assessment: { tier } }: PatternFinding) => (tier === null ? 0 : TIERS[tier]);
  // Sorting is stable, and evidence without a claim gives no order.
  const strength = (finding: PatternFinding) => (rank(finding) > 0 ? finding.assessment.eValue : 0);
  return findings.sort((a, b) => rank(b) - rank(a) || strength(b) - strength(a));
}

/**
 * Whether the messages that are compared were assigned at random: a lot is about what a message says. Lots are counted by
 * level, of all messages, and not of those that are compared, so that only where each was drawn no other can be among these.
 */
function basisOf({ dimension }: PatternDefinition, table: CohortTable): PatternEvidence['basis'] {
  if (!OF_TEXT.has(dimension)) return 'observational';
  let messages = 0;
  for (const level of levelIndexesOf(dimension)) {
    let ofLevel = 0;
    for (const { touches } of table.matureLevels) ofLevel += touches[level] ?? 0;
    for (const { touches } of table.youngLevels) ofLevel += touches[level] ?? 0;
    if ((table.levelRandomized[level] ?? 0) < ofLevel) return 'observational';
    messages += ofLevel;
  }
  return messages > 0 ? 'randomized' : 'observational';
}

/** Of both sides together. */
function rateOf({ n, y, nOther, yOther }: EvidenceAssessment): number {
  return n + nOther > 0 ? (y + yOther) / (n + nOther) : 0;
}

function evidenceOf(assessment: EvidenceAssessment, basis: PatternEvidence['basis']): PatternEvidence {
  const { n, y, nOther, yOther, logOr, low, high, countedSince } = assessment;
  const confounding = confoundingStrength(logOr, low, high, rateOf(assessment));
  const [withRate, withoutRate] = pooledRates([
    { messages: n, settled: n, replies: y, answered: y },
    { messages: nOther, settled: nOther, replies: yOther, answered: yOther },
  ]);
  return {
    e_value: rounded(assessment.eValue),
    odds_ratio: rounded(Math.exp(logOr)),
    odds_ratio_low: rounded(Math.exp(low)),
    odds_ratio_high: rounded(Math.exp(high)),
    odds_ratio_expected: rounded(Math.exp(assessment.expectedLogOr)),
    probability_positive: rounded(assessment.probabilityPositive),
    lift: rounded(assessment.lift),
    lift_low: rounded(assessment.liftLow),
    lift_high: rounded(assessment.liftHigh),
    with_rate: withRate as RateEstimate,
    without_rate: withoutRate as RateEstimate,
    n_campaigns: assessment.campaigns,
    n_campaigns_with: assessment.campaignsWith,
    n_campaigns_without: assessment.campaignsWithout,
    n_texts_with: rounded(assessment.textsWith),
    n_texts_without: rounded(assessment.textsWithout),
    compared_share: rounded(assessment.comparedShare),
    counted_since: countedSince === null ? null : isoDay(firstDayOf(countedSince)),
    confounding_e_value: rounded(confounding.estimate),
    confounding_e_value_limit: rounded(confounding.limit),
    sends_to_decide: assessment.sendsToDecide,
    trial_sends: assessment.trialSends,
    basis,
  };
}
