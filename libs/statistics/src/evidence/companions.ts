import { requireDomain } from '../numerics/stats-domain-error';
import { tableVariance } from './contrast-score';
import { type ClaimTier, isClaimed } from './claim-tiers';
import { type EvidenceDesign, isTiming } from './evidence-design';
import type { EvidenceUnit } from './evidence-units';
import { exact } from './exact-sums';

/** A claimed code, and a dimension with a stronger claim that may explain it. */
export interface CompanionPair {
  readonly code: string;
  readonly within: string;
}

/** Messages with and without a code's level, in one cell and one level of the stronger dimension. */
export interface CompanionStratum {
  readonly campaign: number;
  readonly fortnight: number;
  readonly na: number;
  readonly ya: number;
  readonly nb: number;
  readonly yb: number;
}

/** The strata of a pair, for the caller to count: one per cell and level of the dimension `within`. */
export interface CompanionCounts extends CompanionPair {
  readonly strata: readonly CompanionStratum[];
}

/** What a code's claim rests on before companions are looked at. */
export interface ClaimStrength {
  readonly code: string;
  readonly dimension: string;
  readonly tier: ClaimTier | null;
  readonly logE: number;
}

/**
 * Pairs of claims of which the weaker may only keep company with the stronger.
 *
 * Shapes: m codes in, any number of pairs out.
 * @param claims - tiers and log e-values, in the order of the catalogue
 * @returns for every claim of tier `likely` or above, each other dimension that has a stronger one
 *
 * Never throws.
 * Of two claims with the same e-value the one that comes first is the stronger.
 * Reference: statistics design, section 2.3, rule 3.
 *
 * @example
 * companionPairs([{ code: 'A', dimension: 'a', tier: 'likely', logE: 9 }, { code: 'B', dimension: 'b', tier: 'likely', logE: 5 }]); // [{ code: 'B', within: 'a' }]
 */
export function companionPairs(claims: readonly ClaimStrength[]): CompanionPair[] {
  const ranked = claims
    .filter(({ tier }) => isClaimed(tier))
    .map((claim, place) => ({ ...claim, place }))
    .sort((a, b) => b.logE - a.logE || a.place - b.place);
  return ranked.flatMap(({ code, dimension }, rank) => {
    const stronger = ranked.slice(0, rank).map((claim) => claim.dimension);
    return [...new Set(stronger)]
      .filter((within) => within !== dimension)
      .map((within) => ({ code, within }));
  });
}

function checkStratum({ na, ya, nb, yb, fortnight }: CompanionStratum): void {
  const fits = (n: number, y: number): boolean =>
    Number.isSafeInteger(n) && Number.isSafeInteger(y) && y >= 0 && y <= n;
  requireDomain(fits(na, ya) && fits(nb, yb), 'count', 'a stratum needs 0 <= replies <= messages');
  requireDomain(Number.isSafeInteger(fortnight), 'range', 'a fortnight is a whole number');
}

/**
 * A code's units again, with scores from inside the strata of a stronger dimension.
 *
 * @param units - of the code's dimension; strata of campaigns that are in none are left out
 * @param unitOf - unit of a campaign, for dimensions whose units are families
 * @returns units of one contrast, with the distances that the code has anyway
 */
export function companionUnits(
  design: EvidenceDesign,
  units: readonly EvidenceUnit[],
  unitOf: ReadonlyMap<number, number>,
  feature: EvidenceDesign['features'][number],
  strata: readonly CompanionStratum[],
): EvidenceUnit[] {
  const timing = isTiming(
    (design.dimensions[feature.dimension] as EvidenceDesign['dimensions'][number]).kind,
  );
  const inside = new Map(
    units.map((unit) => [
      unit.id,
      {
        ...unit,
        z: new Float64Array(unit.length),
        v: new Float64Array(unit.length),
        distances: unit.distances.subarray(feature.contrast, feature.contrast + 1),
      },
    ]),
  );
  for (const stratum of strata) {
    checkStratum(stratum);
    const { campaign, fortnight, na, ya, nb, yb } = stratum;
    const unit = inside.get(timing ? fortnight : (unitOf.get(campaign) ?? -1));
    const variance = tableVariance(na, ya, nb, yb);
    const row = unit ? fortnight - unit.first : -1;
    if (!unit || variance === 0 || row < 0 || row >= unit.length) continue;
    unit.z[row] = (unit.z[row] as number) + exact(ya - (na * (ya + yb)) / (na + nb));
    unit.v[row] = (unit.v[row] as number) + exact(variance);
  }
  return [...inside.values()];
}
