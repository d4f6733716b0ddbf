import type { CompanionCounts, CompanionPair } from './companions';
import { companionUnits } from './companions';
import { type CompanyTotals, companyTotals } from './company-totals';
import { comparesBetween, CountedUnits } from './counted-units';
import { type EvidenceDesign, type Feature, isTimingFeature } from './evidence-design';
import type { EvidenceSums } from './evidence-sums';
import {
  type EvidenceUnit,
  familyUnits,
  type FamilyEvidence,
  fortnightUnits,
  sumsFromStarts,
} from './evidence-units';
import type { CampaignSides, UnitEvidence } from './unit-evidence';

/** All that a judgement asks of a company. Null is what has not been counted yet. */
export interface EvidenceBasis {
  readonly totals: CompanyTotals;
  /** last fortnight that counts */
  readonly asOf: number;
  of(feature: Feature): UnitEvidence;
  sides(feature: Feature, since: number): CampaignSides | null;
  /** Sums of a pair's code inside the strata of the stronger dimension, from each of some fortnights on. */
  inside(pair: CompanionPair, feature: Feature, starts: readonly number[]): EvidenceSums[] | null;
}

/** The basis with every campaign before one: what a folded one must agree with, to the bit. */
export class CountedEvidence implements EvidenceBasis {
  readonly totals: CompanyTotals;
  readonly asOf: number;
  private readonly units: Readonly<Record<'families' | 'fortnights', readonly EvidenceUnit[]>>;
  private readonly counted: Readonly<Record<'families' | 'fortnights', CountedUnits>>;

  /** @throws StatsDomainError with code `range` where a campaign belongs to two families */
  constructor(
    private readonly design: EvidenceDesign,
    private readonly families: readonly FamilyEvidence[],
    asOf: number | undefined,
    private readonly companions: readonly CompanionCounts[],
  ) {
    this.totals = companyTotals(
      design,
      families.flatMap(({ campaigns }) => campaigns),
    );
    this.asOf = lastFortnight(this.totals, asOf);
    this.units = {
      families: familyUnits(design, families),
      fortnights: fortnightUnits(design, this.totals),
    };
    this.counted = {
      families: new CountedUnits(design, this.units.families, this.asOf),
      fortnights: new CountedUnits(design, this.units.fortnights, this.asOf),
    };
  }

  of(feature: Feature): UnitEvidence {
    return this.counted[this.kindOf(feature)].of(feature);
  }

  sides(feature: Feature, since: number): CampaignSides {
    const sides = { campaigns: 0, campaignsWith: 0, campaignsWithout: 0, campaignsWithBoth: 0 };
    for (const { campaigns } of this.families) {
      for (const campaign of campaigns) {
        const compares = comparesBetween(
          campaign,
          feature.contrast,
          this.design.contrasts.length,
          since,
          this.asOf,
        );
        if (compares) sides.campaigns++;
        const { first, length, levelN } = campaign;
        const [isWith, isWithout] = [this.levels(feature, true), this.levels(feature, false)].map(
          (levels) => {
            for (let row = Math.max(0, since - first); row < length && first + row <= this.asOf; row++) {
              if (levels.some((level) => (levelN[row * this.design.width + level] as number) > 0))
                return true;
            }
            return false;
          },
        );
        if (isWith) sides.campaignsWith++;
        if (isWithout) sides.campaignsWithout++;
        if (isWith && isWithout) sides.campaignsWithBoth++;
      }
    }
    return sides;
  }

  inside(
    { code, within }: CompanionPair,
    feature: Feature,
    starts: readonly number[],
  ): EvidenceSums[] | null {
    const counts = this.companions.find((own) => own.code === code && own.within === within);
    if (!counts) return null;
    const units = this.units[this.kindOf(feature)];
    const inside = companionUnits(this.design, units, headsOf(this.families), feature, counts.strata);
    return sumsFromStarts(inside, 0, 1, starts, this.asOf);
  }

  private levels({ level, contrast }: Feature, isWith: boolean): readonly number[] {
    return isWith ? [level] : (this.design.contrasts[contrast]?.others ?? []);
  }

  private kindOf(feature: Feature): 'families' | 'fortnights' {
    return isTimingFeature(this.design, feature) ? 'fortnights' : 'families';
  }
}

/** The last fortnight that counts: the one asked for, or the last with messages. */
export function lastFortnight({ first, length }: CompanyTotals, asOf?: number): number {
  return Math.max(first, asOf ?? first + Math.max(0, length - 1));
}

/** The unit of each campaign of some families: its first campaign. */
export function headsOf(families: readonly FamilyEvidence[]): Map<number, number> {
  return new Map(
    families.flatMap(({ campaigns }) => {
      const head = campaigns.reduce((least, { campaign }) => Math.min(least, campaign), Infinity);
      return campaigns.map(({ campaign }): [number, number] => [campaign, head]);
    }),
  );
}
