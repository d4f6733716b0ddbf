import { claimTiers, type ClaimTier, isClaimed } from './claim-tiers';
import { companionPairs, type CompanionPair } from './companions';
import { describeCode } from './describe-code';
import { type EvidenceDesign, type Feature } from './evidence-design';
import type { EvidenceJudgement } from './evidence-assessment';
import { CountedEvidence, type EvidenceBasis } from './evidence-basis';
import type { EvidenceFold } from './evidence-fold';
import type { FoldQuestions } from './fold-parts';
import {
  type EvidenceGrounds,
  type EvidenceOptions,
  type EvidenceRules,
  gatherEvidence,
} from './evidence-grounds';
import { averageLogE } from './evidence-starts';
import type { FamilyEvidence } from './evidence-units';
import type { FeatureEvidence } from './feature-evidence';
import { FoldedEvidence } from './folded-evidence';
import { logEWithout } from './siblings';
import type { FeatureSupport } from './unit-evidence';

/** Comparisons of two texts that a code needs; decided by messages, never by which of them were answered. */
const LEAST_COMPARISONS = 8;

/** A code on its way through the rules. */
export interface JudgedCode {
  readonly logE: number;
  readonly tier: ClaimTier | null;
  readonly eligible: boolean;
  /** the stronger code that took the evidence away */
  readonly goesWith: string | null;
}

const codeOfFeature = ({ codes, featureOf }: EvidenceDesign, feature: number): string | null =>
  codes[featureOf.indexOf(feature)]?.code ?? null;

/** Rules 1 and 2: who takes part, and what is left beside the strongest level of a dimension. */
function beside(grounds: EvidenceGrounds, code: number, siblings: boolean): JudgedCode {
  const { design, basis, evidence, support, strongest } = grounds;
  const f = design.featureOf[code] as number;
  const feature = design.features[f] as Feature;
  const own = evidence[f] as FeatureEvidence;
  const dimension = design.dimensions[feature.dimension] as EvidenceDesign['dimensions'][number];
  const eligible =
    dimension.kind !== 'step' && (support[f] as FeatureSupport).comparisons >= LEAST_COMPARISONS;
  const winner = strongest[feature.dimension] as number;
  if (!siblings || winner === f || feature.without.length === 0) {
    return { logE: own.logE, tier: null, eligible, goesWith: null };
  }
  const winning = design.features[winner] as Feature;
  const rest = logEWithout(design, feature, winning, own, basis.of(feature), basis.totals, basis.asOf);
  return {
    logE: Math.min(own.logE, rest),
    tier: null,
    eligible,
    goesWith: rest < own.logE ? codeOfFeature(design, winner) : null,
  };
}

function withTiers(judged: readonly JudgedCode[]): JudgedCode[] {
  const tiers = claimTiers(judged.map(({ eligible, logE }) => (eligible ? logE : null)));
  return judged.map((code, i) => ({ ...code, tier: tiers[i] ?? null }));
}

/** The pairs of claims that need their strata. */
function pairsOf({ design }: EvidenceGrounds, judged: readonly JudgedCode[]): CompanionPair[] {
  return companionPairs(
    design.codes.map(({ code, dimension }, i) => {
      const { tier, logE } = judged[i] as JudgedCode;
      return { code, dimension, tier, logE };
    }),
  );
}

/** Rule 3: what is left of claims inside the strata of stronger ones, where these have been counted. */
function insideStrata(
  grounds: EvidenceGrounds,
  judged: readonly JudgedCode[],
  pairs: readonly CompanionPair[],
): JudgedCode[] {
  const { design, basis, evidence } = grounds;
  return judged.map((code, i) => {
    const f = design.featureOf[i] as number;
    const feature = design.features[f] as Feature;
    let result = code;
    for (const pair of pairs) {
      if (pair.code !== design.codes[i]?.code) continue;
      const { starts } = evidence[f] as FeatureEvidence;
      const sums = basis.inside(pair, feature, starts.from);
      if (!sums) continue;
      const logE = averageLogE(starts, sums);
      if (logE < result.logE) result = { ...result, logE, goesWith: strongestClaim(grounds, judged, pair) };
    }
    return result;
  });
}

/** The code behind a pair's stronger dimension. */
function strongestClaim(
  { design }: EvidenceGrounds,
  judged: readonly JudgedCode[],
  { within }: CompanionPair,
): string | null {
  const claims = design.codes.flatMap(({ code, dimension }, i) => {
    const { tier, logE } = judged[i] as JudgedCode;
    return dimension === within && isClaimed(tier) ? [{ code, logE }] : [];
  });
  return claims.sort((a, b) => b.logE - a.logE)[0]?.code ?? null;
}

/**
 * Judges all codes of a company from scores that were worked out campaign by campaign.
 *
 * Shapes: any number of families and a design of m codes in, m assessments and the pairs to count out.
 * @param design - with which campaigns and texts were scored
 * @param families - campaigns that share texts, each campaign in one family, with the spread of their texts
 * @param options - last matured fortnight, strata of companions, rules to leave out
 * @returns assessments in the order of the catalogue; serve their claims once all `pairs` were handed in as companions
 * @throws StatsDomainError with code `count`, `range` or `size`
 *
 * The same input gives the same bytes, whatever the order of families and campaigns.
 * Reference: statistics design, section 2.3. Oracle: fixtures/evidence.json and verify:statistics.
 *
 * @example
 * judgeEvidence(evidenceDesign([{ name: 'tone', kind: 'text', levels: [0, 1] }], [{ code: 'TA-1', dimension: 'tone', level: 0 }]), []).assessments[0].reason; // 'no_data'
 */
export function judgeEvidence(
  design: EvidenceDesign,
  families: readonly FamilyEvidence[],
  options: EvidenceOptions = {},
): EvidenceJudgement {
  const basis = new CountedEvidence(design, families, options.asOf, options.companions ?? []);
  return judge(design, basis, options.rules ?? {});
}

/**
 * The same from a fold of the families, in time that does not grow with them.
 *
 * Shapes: one fold and a design of m codes in, m assessments and what the fold has not been asked yet out.
 * @param fold - with every family of the company in it
 * @returns assessments that hold where `missing` is null; else what to answer with every family first, and to judge then
 * @throws StatsDomainError with code `size`
 *
 * Its assessments are those of `judgeEvidence` with all strata of pairs, bit for bit.
 * Reference: statistics design, section 2.5. Oracle: `judgeEvidence`.
 *
 * @example
 * judgeFold(new EvidenceFold(evidenceDesign([], []))).missing; // null
 */
export function judgeFold(
  fold: EvidenceFold,
): EvidenceJudgement & { readonly missing: FoldQuestions | null } {
  const basis = new FoldedEvidence(fold);
  const judgement = judge(fold.design, basis, {});
  return { ...judgement, missing: basis.isComplete ? null : basis.missing };
}

function judge(
  design: EvidenceDesign,
  basis: EvidenceBasis,
  rules: Partial<EvidenceRules>,
): EvidenceJudgement {
  const grounds = gatherEvidence(design, basis, rules);
  const claims = withTiers(design.codes.map((_, i) => beside(grounds, i, rules.siblings ?? true)));
  const pairs = pairsOf(grounds, claims);
  const judged = withTiers(insideStrata(grounds, claims, pairs));
  const confirmed = judged.filter(({ tier }) => tier === 'confirmed').length;
  const taking = judged.filter(({ eligible }) => eligible).length;
  return {
    assessments: judged.map((code, i) => describeCode(grounds, i, code, { confirmed, taking })),
    pairs,
  };
}
