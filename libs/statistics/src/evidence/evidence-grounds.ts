import type { CompanionCounts } from './companions';
import { type CompanyTotals, companyTotals } from './company-totals';
import type { EvidenceDesign } from './evidence-design';
import { type FamilyEvidence, unitsOf, type UnitsOfCompany, unitsOfDimension } from './evidence-units';
import {
  type FeatureEvidence,
  featureEvidence,
  featureSupport,
  type FeatureSupport,
} from './feature-evidence';
import { strongestFeature } from './siblings';

/** Rules of the decision that can be left out, to see what they are for. */
export interface EvidenceRules {
  /** a level must stand without the strongest of its dimension; default true */
  readonly siblings: boolean;
  /** evidence begins anew where the newest messages contradict it; default true */
  readonly changes: boolean;
}

export interface EvidenceOptions {
  /** last matured fortnight; default the last with messages */
  readonly asOf?: number;
  /** strata of the pairs that an earlier judgement asked for; default none */
  readonly companions?: readonly CompanionCounts[];
  readonly rules?: Partial<EvidenceRules>;
}

/** Everything that the rules look at, worked out once per company. */
export interface EvidenceGrounds {
  readonly design: EvidenceDesign;
  readonly families: readonly FamilyEvidence[];
  readonly units: UnitsOfCompany;
  readonly totals: CompanyTotals;
  readonly asOf: number;
  /** per feature */
  readonly evidence: readonly FeatureEvidence[];
  readonly support: readonly FeatureSupport[];
  /** strongest feature of each dimension */
  readonly strongest: readonly number[];
}

/** Works out per feature what the rules look at. */
export function gatherEvidence(
  design: EvidenceDesign,
  families: readonly FamilyEvidence[],
  options: EvidenceOptions,
): EvidenceGrounds {
  const units = unitsOf(design, families);
  const totals = companyTotals(
    design,
    families.flatMap(({ campaigns }) => campaigns),
  );
  const asOf = options.asOf ?? totals.first + Math.max(0, totals.length - 1);
  const span = { first: totals.first, asOf: Math.max(asOf, totals.first) };
  const evidence = design.features.map((feature) => {
    const own = unitsOfDimension(design, units, feature.dimension);
    return featureEvidence(design, feature, own, span, options.rules?.changes ?? true);
  });
  const support = design.features.map((feature, f) => {
    const from = (evidence[f] as FeatureEvidence).starts.from[0] as number;
    return featureSupport(
      design,
      feature,
      unitsOfDimension(design, units, feature.dimension),
      from,
      span.asOf,
    );
  });
  const strongest = design.featuresOf.map((features) =>
    features.length > 0 ? strongestFeature(features, evidence) : -1,
  );
  return { design, families, units, totals, asOf: span.asOf, evidence, support, strongest };
}
