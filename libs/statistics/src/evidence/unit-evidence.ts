import { type EvidenceSums } from './evidence-sums';

/** What a claim about a feature may rest on: how many texts or days, and how unlike they are on both sides. */
export interface FeatureSupport {
  /** sum over units of 2 / distance: comparisons of two texts that the units are worth */
  readonly comparisons: number;
  readonly textsWith: number;
  readonly textsWithout: number;
}

/** Campaigns since a fortnight: inside which a feature is compared, and by what they send. */
export interface CampaignSides {
  readonly campaigns: number;
  readonly campaignsWith: number;
  readonly campaignsWithout: number;
  readonly campaignsWithBoth: number;
}

/** What the rules ask of the units of a feature. Null is what has not been counted yet. */
export interface UnitEvidence {
  /** Sums of one of its contrasts from each of some fortnights on; `starts` ascending. */
  from(contrast: number, starts: readonly number[]): EvidenceSums[] | null;
  /** Sums over [since, t) for t = since, since + 1 and so on, to one after the last fortnight that counts. */
  until(since: number): EvidenceSums[] | null;
  /** Sums over [from, now]; one to twelve fortnights. */
  newest(from: number, now: number): EvidenceSums | null;
  /** Over the units that compare anything from a fortnight on. */
  support(from: number): FeatureSupport | null;
}

export const NO_SUPPORT: FeatureSupport = { comparisons: 0, textsWith: 0, textsWithout: 0 };
export const NO_SIDES: CampaignSides = {
  campaigns: 0,
  campaignsWith: 0,
  campaignsWithout: 0,
  campaignsWithBoth: 0,
};
