import { type CompanyTotals, levelTotals } from './company-totals';
import { averageLogE } from './evidence-starts';
import type { EvidenceDesign, Feature } from './evidence-design';
import { noSums } from './evidence-sums';
import type { FeatureEvidence } from './feature-evidence';
import type { UnitEvidence } from './unit-evidence';

/** Less than this part of the messages left beside the strongest level is too little to stand on. */
const LEAST_REST = 0.1;
const TIE = 1e-9;

/** The feature of a dimension with the most evidence; of mirror images the one with more replies. */
export function strongestFeature(features: readonly number[], evidence: readonly FeatureEvidence[]): number {
  const scoreOf = (feature: number): number => evidence[feature]?.sums[0]?.[1] ?? 0;
  return features.reduce((winner, feature) => {
    const lead = (evidence[feature] as FeatureEvidence).logE - (evidence[winner] as FeatureEvidence).logE;
    const isTie = Math.abs(lead) <= TIE;
    return lead > TIE || (isTie && scoreOf(feature) > scoreOf(winner) + TIE) ? feature : winner;
  });
}

/** Log e-value of a feature without the messages of the strongest level of its dimension. */
export function logEWithout(
  design: EvidenceDesign,
  feature: Feature,
  winner: Feature,
  { starts }: FeatureEvidence,
  units: UnitEvidence,
  totals: CompanyTotals,
  asOf: number,
): number {
  const left = feature.without.find(({ level }) => level === winner.level);
  if (!left) return 0;
  const [from] = starts.from as [number];
  const others = design.contrasts[left.contrast]?.others ?? [];
  const rest = levelTotals(design, totals, others, from, asOf).n;
  const without = levelTotals(design, totals, [winner.level], from, asOf).n;
  if (rest < LEAST_REST * (rest + without)) return 0;
  const sums = units.from(left.contrast, starts.from) ?? starts.from.map(noSums);
  return averageLogE(starts, sums);
}
