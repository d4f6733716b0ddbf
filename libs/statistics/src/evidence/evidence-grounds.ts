import type { CompanionCounts } from './companions';
import type { EvidenceBasis } from './evidence-basis';
import type { EvidenceDesign } from './evidence-design';
import { type FeatureEvidence, featureEvidence } from './feature-evidence';
import { strongestFeature } from './siblings';
import { type FeatureSupport, NO_SUPPORT } from './unit-evidence';

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
  readonly basis: EvidenceBasis;
  /** per feature */
  readonly evidence: readonly FeatureEvidence[];
  readonly support: readonly FeatureSupport[];
  /** strongest feature of each dimension */
  readonly strongest: readonly number[];
}

/** Works out per feature what the rules look at. */
export function gatherEvidence(
  design: EvidenceDesign,
  basis: EvidenceBasis,
  rules: Partial<EvidenceRules>,
): EvidenceGrounds {
  const span = { first: basis.totals.first, asOf: basis.asOf };
  const evidence = design.features.map((feature) =>
    featureEvidence(basis.of(feature), feature, span, rules.changes ?? true),
  );
  const support = design.features.map((feature, f) => {
    const from = (evidence[f] as FeatureEvidence).starts.from[0] as number;
    return basis.of(feature).support(from) ?? NO_SUPPORT;
  });
  const strongest = design.featuresOf.map((features) =>
    features.length > 0 ? strongestFeature(features, evidence) : -1,
  );
  return { design, basis, evidence, support, strongest };
}
