import { requireDomain } from '../numerics/stats-domain-error';
import type { CampaignScores } from './campaign-scores';
import type { CompanyTotals } from './company-totals';
import { type EvidenceDesign, timingContrasts } from './evidence-design';
import { addNumbers } from './exact-sums';
import { addSums, type EvidenceSums, noSums, setUnitSums } from './evidence-sums';
import type { TextSpread } from './text-spread';

/** A family's campaigns with the spread of their texts. */
export interface FamilyEvidence {
  readonly campaigns: readonly CampaignScores[];
  readonly spread: TextSpread;
}

/** What repeats independently: a family of campaigns, or for weekday and daypart a fortnight. */
export interface EvidenceUnit {
  /** number of the family's first campaign, or the fortnight */
  readonly id: number;
  readonly first: number;
  readonly length: number;
  /** fortnight * contrasts + contrast */
  readonly z: Float64Array;
  readonly v: Float64Array;
  /** per contrast */
  readonly distances: Float64Array;
  /** per contrast: effective numbers of texts, or of days */
  readonly with: Float64Array;
  readonly without: Float64Array;
}

/** The first fortnight of some campaigns, and how many there are to their last. */
export function spanOf(campaigns: readonly CampaignScores[]): { first: number; length: number } {
  let first = Infinity;
  let end = -Infinity;
  for (const campaign of campaigns) {
    if (campaign.length === 0) continue;
    first = Math.min(first, campaign.first);
    end = Math.max(end, campaign.first + campaign.length);
  }
  return end > first ? { first, length: end - first } : { first: 0, length: 0 };
}

/** A family of campaigns as one unit. */
export function familyUnit(
  design: EvidenceDesign,
  { campaigns, spread }: FamilyEvidence,
): EvidenceUnit | undefined {
  const members = [...campaigns].sort((a, b) => a.campaign - b.campaign);
  const [head] = members;
  const { first, length } = spanOf(members);
  if (!head || length === 0) return undefined;
  const unit: EvidenceUnit = {
    id: head.campaign,
    first,
    length,
    z: members.length === 1 ? head.z : new Float64Array(length * design.contrasts.length),
    v: members.length === 1 ? head.v : new Float64Array(length * design.contrasts.length),
    distances: spread.distances,
    with: spread.textsWith,
    without: spread.textsWithout,
  };
  if (members.length > 1) {
    for (const { first: begin, z, v } of members.filter((member) => member.length > 0)) {
      addNumbers(unit.z, z, (begin - first) * design.contrasts.length);
      addNumbers(unit.v, v, (begin - first) * design.contrasts.length);
    }
  }
  return unit;
}

/** Effective number of equally used parts. */
function effectiveNumber(counts: readonly number[]): number {
  let n = 0;
  let squares = 0;
  for (const count of counts) {
    n += count;
    squares += count * count;
  }
  return squares > 0 ? (n * n) / squares : 0;
}

/** Sets how far apart the days of both sides are, in one fortnight; levels: messages per level in it. */
function setDays(design: EvidenceDesign, unit: EvidenceUnit, levels: Float64Array): void {
  const counts = (wanted: readonly number[]): number[] => wanted.map((level) => levels[level] as number);
  const allDays = effectiveNumber(counts(design.dayLevels));
  for (const { dimension, contrast, without } of design.features) {
    const kind = design.dimensions[dimension]?.kind;
    if (kind !== 'weekday' && kind !== 'daypart') continue;
    for (const c of [contrast, ...without.map((left) => left.contrast)]) {
      const others = design.contrasts[c]?.others ?? [];
      const daysWith = kind === 'weekday' ? 1 : allDays;
      const daysWithout = kind === 'weekday' ? effectiveNumber(counts(others)) : allDays;
      unit.with[c] = daysWith;
      unit.without[c] = daysWithout;
      // Without a count of days everything happened on one.
      unit.distances[c] = 1 / Math.max(1, daysWith) + 1 / Math.max(1, daysWithout);
    }
  }
}

/** The fortnights of a company as units, for the contrasts of weekday and daypart. */
export function fortnightUnits(design: EvidenceDesign, totals: CompanyTotals): EvidenceUnit[] {
  const contrasts = design.contrasts.length;
  const timing = timingContrasts(design);
  return Array.from({ length: totals.length }, (_, row): EvidenceUnit => {
    const unit: EvidenceUnit = {
      id: totals.first + row,
      first: totals.first + row,
      length: 1,
      z: new Float64Array(contrasts),
      v: new Float64Array(contrasts),
      distances: new Float64Array(contrasts),
      with: new Float64Array(contrasts),
      without: new Float64Array(contrasts),
    };
    timing.forEach((contrast, i) => {
      unit.z[contrast] = totals.timingZ[row * timing.length + i] as number;
      unit.v[contrast] = totals.timingV[row * timing.length + i] as number;
    });
    setDays(design, unit, totals.levelN.subarray(row * design.width, (row + 1) * design.width));
    return unit;
  });
}

/** @throws StatsDomainError with code `range` where a campaign belongs to two families */
export function familyUnits(design: EvidenceDesign, families: readonly FamilyEvidence[]): EvidenceUnit[] {
  const numbers = families.flatMap(({ campaigns }) => campaigns.map(({ campaign }) => campaign));
  requireDomain(new Set(numbers).size === numbers.length, 'range', 'a campaign belongs to one family');
  return families.flatMap((family) => familyUnit(design, family) ?? []);
}

/**
 * Evidence of one contrast from each of several starts up to a fortnight.
 *
 * @param starts - fortnights, ascending
 * @param asOf - last fortnight that counts
 */
export function sumsFromStarts(
  units: readonly EvidenceUnit[],
  contrast: number,
  contrasts: number,
  starts: readonly number[],
  asOf: number,
): EvidenceSums[] {
  const sums = starts.map(noSums);
  const own = noSums();
  for (const unit of units) addUnit(unit, contrast, contrasts, starts, asOf, sums, own);
  return sums;
}

/** Goes from the newest start back to the oldest, so that each fortnight is read once. */
function addUnit(
  { first, length, z, v, distances }: EvidenceUnit,
  contrast: number,
  contrasts: number,
  starts: readonly number[],
  asOf: number,
  sums: readonly EvidenceSums[],
  own: EvidenceSums,
): void {
  let row = Math.min(length, asOf - first + 1);
  let score = 0;
  let variance = 0;
  let known = false;
  for (let i = starts.length - 1; i >= 0; i--) {
    const from = Math.max(0, (starts[i] as number) - first);
    for (; row > from; row--) {
      const at = (row - 1) * contrasts + contrast;
      score += z[at] as number;
      variance += v[at] as number;
      known = false;
    }
    if (variance <= 0) continue;
    if (!known) setUnitSums(own, score, variance, distances[contrast] as number);
    known = true;
    addSums(sums[i] as EvidenceSums, own);
  }
}
