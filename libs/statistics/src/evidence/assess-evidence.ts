import { scoreCampaign } from './campaign-scores';
import type { EvidenceJudgement } from './evidence-assessment';
import type { EvidenceCounts } from './evidence-counts';
import type { EvidenceDesign } from './evidence-design';
import type { EvidenceOptions } from './evidence-grounds';
import type { FamilyEvidence } from './evidence-units';
import { judgeEvidence } from './judge-evidence';
import { textFamilies } from './text-families';
import { textSpread } from './text-spread';

/**
 * Scores campaigns and groups them into families: the first half of `assessEvidence`, without anything kept.
 *
 * Shapes: C campaigns in, at most C families out.
 * @param design - whose levels the counts are of
 * @param campaigns - numbers are unique
 * @returns families of campaigns that share texts, with their scores
 * @throws StatsDomainError with code `count`, `range` or `size`
 *
 * Reference: statistics design, section 2.1.
 *
 * @example
 * familiesOf(evidenceDesign([], []), []); // []
 */
export function familiesOf(design: EvidenceDesign, campaigns: readonly EvidenceCounts[]): FamilyEvidence[] {
  const byNumber = new Map(campaigns.map((counts) => [counts.campaign, counts]));
  return textFamilies(campaigns).map((members) => {
    const counts = members.map((campaign) => byNumber.get(campaign) as EvidenceCounts);
    return {
      campaigns: counts.map((own) => scoreCampaign(design, own)),
      spread: textSpread(
        design,
        counts.map(({ bins }) => bins),
      ),
    };
  });
}

/**
 * Evidence for every code of one company, from its counts.
 *
 * Shapes: C campaigns and a design of m codes in, m assessments and the pairs to count out.
 * @param design - of the catalogue
 * @param campaigns - matured counts; numbers are unique
 * @param options - last matured fortnight, strata of companions, rules to leave out
 * @returns assessments in the order of the catalogue; serve their claims once all `pairs` were handed in as companions
 * @throws StatsDomainError with code `count`, `range` or `size`
 *
 * Scores depend on a campaign alone and spreads on a family alone; a caller that keeps them calls `judgeEvidence`.
 * Reference: statistics design, section 2. Oracle: fixtures/evidence.json and verify:statistics.
 *
 * @example
 * assessEvidence(evidenceDesign([{ name: 'tone', kind: 'text', levels: [0, 1] }], [{ code: 'TA-1', dimension: 'tone', level: 0 }]), []).assessments[0].tier; // null
 */
export function assessEvidence(
  design: EvidenceDesign,
  campaigns: readonly EvidenceCounts[],
  options: EvidenceOptions = {},
): EvidenceJudgement {
  return judgeEvidence(design, familiesOf(design, campaigns), options);
}
