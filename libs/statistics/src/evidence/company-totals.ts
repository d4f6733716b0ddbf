import { type CampaignScores, FEATURE_SUMS } from './campaign-scores';
import { type EvidenceDesign, timingContrasts } from './evidence-design';
import { addNumbers } from './exact-sums';
import { spanOf } from './evidence-units';

/** Counts of a company per fortnight, over all campaigns. */
export interface CompanyTotals {
  readonly first: number;
  readonly length: number;
  readonly levelN: Float64Array;
  readonly levelY: Float64Array;
  readonly featureSums: Float64Array;
  /** scores and variances of the contrasts of weekday and daypart */
  readonly timingZ: Float64Array;
  readonly timingV: Float64Array;
}

/** Sums of Mantel and Haenszel over cells, and the messages of the cells that compare. */
export interface FeatureTotals {
  readonly mhWith: number;
  readonly mhWithout: number;
  readonly compared: number;
}

export function noTotals(design: EvidenceDesign, first: number, length: number): CompanyTotals {
  const timing = timingContrasts(design).length;
  return {
    first,
    length,
    levelN: new Float64Array(length * design.width),
    levelY: new Float64Array(length * design.width),
    featureSums: new Float64Array(length * design.features.length * FEATURE_SUMS),
    timingZ: new Float64Array(length * timing),
    timingV: new Float64Array(length * timing),
  };
}

export function companyTotals(design: EvidenceDesign, campaigns: readonly CampaignScores[]): CompanyTotals {
  const { first, length } = spanOf(campaigns);
  const timing = timingContrasts(design);
  const perFortnight = design.features.length * FEATURE_SUMS;
  const totals = noTotals(design, first, length);
  for (const { first: begin, length: rows, levelN, levelY, featureSums, z, v } of campaigns) {
    if (rows === 0) continue;
    const row = begin - first;
    addNumbers(totals.levelN, levelN, row * design.width);
    addNumbers(totals.levelY, levelY, row * design.width);
    addNumbers(totals.featureSums, featureSums, row * perFortnight);
    for (let own = 0; own < rows; own++) {
      const at = (row + own) * timing.length;
      const of = own * design.contrasts.length;
      addNumbers(
        totals.timingZ,
        Float64Array.from(timing, (contrast) => z[of + contrast] as number),
        at,
      );
      addNumbers(
        totals.timingV,
        Float64Array.from(timing, (contrast) => v[of + contrast] as number),
        at,
      );
    }
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
