import { type CampaignScores, FEATURE_SUMS } from './campaign-scores';
import type { EvidenceDesign } from './evidence-design';
import { spanOf } from './evidence-units';

/** Counts of a company per fortnight, over all campaigns. */
export interface CompanyTotals {
  readonly first: number;
  readonly length: number;
  readonly levelN: Float64Array;
  readonly levelY: Float64Array;
  readonly featureSums: Float64Array;
}

/** Sums of Mantel and Haenszel over cells, and the messages of the cells that compare. */
export interface FeatureTotals {
  readonly mhWith: number;
  readonly mhWithout: number;
  readonly compared: number;
}

export function companyTotals(design: EvidenceDesign, campaigns: readonly CampaignScores[]): CompanyTotals {
  const { first, length } = spanOf(campaigns);
  const perFortnight = design.features.length * FEATURE_SUMS;
  const totals: CompanyTotals = {
    first,
    length,
    levelN: new Float64Array(length * design.width),
    levelY: new Float64Array(length * design.width),
    featureSums: new Float64Array(length * perFortnight),
  };
  const add = (to: Float64Array, from: Float64Array, offset: number): void => {
    for (let i = 0; i < from.length; i++) to[offset + i] = (to[offset + i] as number) + (from[i] as number);
  };
  for (const campaign of [...campaigns].sort((a, b) => a.campaign - b.campaign)) {
    if (campaign.length === 0) continue;
    const row = campaign.first - first;
    add(totals.levelN, campaign.levelN, row * design.width);
    add(totals.levelY, campaign.levelY, row * design.width);
    add(totals.featureSums, campaign.featureSums, row * perFortnight);
  }
  return totals;
}

/** Sum of one column over the rows from a fortnight to another. */
function columnSum(
  { first, length }: CompanyTotals,
  values: Float64Array,
  width: number,
  column: number,
  from: number,
  asOf: number,
): number {
  let sum = 0;
  for (let row = Math.max(0, from - first); row < length && first + row <= asOf; row++) {
    sum += values[row * width + column] as number;
  }
  return sum;
}

/** Messages and replies of some levels from one fortnight to another. */
export function levelTotals(
  design: EvidenceDesign,
  totals: CompanyTotals,
  levels: readonly number[],
  from: number,
  asOf: number,
): { readonly n: number; readonly y: number } {
  const sum = (values: Float64Array): number =>
    levels.reduce((total, level) => total + columnSum(totals, values, design.width, level, from, asOf), 0);
  return { n: sum(totals.levelN), y: sum(totals.levelY) };
}

export function featureTotals(
  design: EvidenceDesign,
  totals: CompanyTotals,
  feature: number,
  from: number,
  asOf: number,
): FeatureTotals {
  const width = design.features.length * FEATURE_SUMS;
  const sum = (column: number): number =>
    columnSum(totals, totals.featureSums, width, feature * FEATURE_SUMS + column, from, asOf);
  return { mhWith: sum(0), mhWithout: sum(1), compared: sum(2) };
}
