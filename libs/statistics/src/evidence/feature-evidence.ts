import { type EffectChange, lastChange } from './effect-change';
import { averageLogE, type EvidenceStarts, evidenceStarts } from './evidence-starts';
import type { EvidenceSums } from './evidence-sums';
import type { EvidenceDesign, Feature } from './evidence-design';
import { type EvidenceUnit, sumsFromStarts } from './evidence-units';
import { logEValue } from './log-e-value';

/** A start whose evidence is this many times weaker than the strongest still speaks for the whole time since. */
const LOG_COMPARABLE = Math.log(20);
/** The e-value that takes a log odds ratio out of the 95 % interval. */
const LOG_EXCLUDED = Math.log(20);
/** Distances below this count as this: one unit is worth no more than 2,000. */
const LEAST_DISTANCE = 0.001;

/** Evidence of one feature against all other levels, over time. */
export interface FeatureEvidence {
  readonly change: EffectChange | null;
  readonly starts: EvidenceStarts;
  /** per start */
  readonly sums: readonly EvidenceSums[];
  /** log of the average e-value */
  readonly logE: number;
}

/** Evidence that is served: since which fortnight, and its part of the bet. */
export interface ServedEvidence {
  readonly since: number;
  readonly logWeight: number;
  readonly sums: EvidenceSums;
}

/** What a claim about a feature may rest on: how many texts or days, and how unlike they are on both sides. */
export interface FeatureSupport {
  /** sum over units of 2 / distance: comparisons of two texts that the units are worth */
  readonly comparisons: number;
  readonly textsWith: number;
  readonly textsWithout: number;
}

export function featureEvidence(
  design: EvidenceDesign,
  feature: Feature,
  units: readonly EvidenceUnit[],
  span: { readonly first: number; readonly asOf: number },
  mayChange: boolean,
): FeatureEvidence {
  const { first, asOf } = span;
  const contrasts = design.contrasts.length;
  const change = mayChange ? lastChange(units, feature.contrast, contrasts, first, asOf) : null;
  const starts = evidenceStarts(change?.since ?? first, change !== null, asOf);
  const sums = sumsFromStarts(units, feature.contrast, contrasts, starts.from, asOf);
  return { change, starts, sums, logE: averageLogE(starts, sums) };
}

/**
 * The start that estimate, interval and probability are taken from: the earliest one whose evidence compares with the
 * strongest. So an effect that began late is not diluted by the time before it, and else nothing is thrown away.
 */
export function servedEvidence({ starts, sums }: FeatureEvidence): ServedEvidence {
  const logs = sums.map((own, i) => Math.log(starts.weights[i] as number) + logEValue(own));
  const strongest = Math.max(...logs);
  const comparable = strongest - LOG_COMPARABLE;
  // Where the strongest excludes "no effect", so must the one that is served.
  const least = strongest >= LOG_EXCLUDED ? Math.max(comparable, LOG_EXCLUDED) : comparable;
  const i = logs.findIndex((logE) => logE >= least);
  return {
    since: starts.from[i] as number,
    logWeight: Math.log(starts.weights[i] as number),
    sums: sums[i] as EvidenceSums,
  };
}

/** Sums over the units that compare anything from a fortnight on. */
export function featureSupport(
  { contrasts }: EvidenceDesign,
  { contrast }: Feature,
  units: readonly EvidenceUnit[],
  from: number,
  asOf: number,
): FeatureSupport {
  let comparisons = 0;
  let textsWith = 0;
  let textsWithout = 0;
  for (const unit of units) {
    if (!comparesBetween(unit, contrast, contrasts.length, from, asOf)) continue;
    comparisons += 2 / Math.max(unit.distances[contrast] as number, LEAST_DISTANCE);
    textsWith += unit.with[contrast] as number;
    textsWithout += unit.without[contrast] as number;
  }
  return { comparisons, textsWith, textsWithout };
}

/** Whether a contrast has any score in some fortnights. */
export function comparesBetween(
  { first, length, v }: Pick<EvidenceUnit, 'first' | 'length' | 'v'>,
  contrast: number,
  contrasts: number,
  from: number,
  asOf: number,
): boolean {
  for (let row = Math.max(0, from - first); row < length && first + row <= asOf; row++) {
    if ((v[row * contrasts + contrast] as number) > 0) return true;
  }
  return false;
}
