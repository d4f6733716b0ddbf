import { log } from '../numerics/log';
import { type EffectChange, lastChange } from './effect-change';
import { averageLogE, type EvidenceStarts, evidenceStarts } from './evidence-starts';
import type { Feature } from './evidence-design';
import { type EvidenceSums, noSums } from './evidence-sums';
import { logEValue } from './log-e-value';
import type { UnitEvidence } from './unit-evidence';

/** A start whose evidence is this many times weaker than the strongest still speaks for the whole time since. */
const LOG_COMPARABLE = log(20);
/** The e-value that takes a log odds ratio out of the 95 % interval. */
const LOG_EXCLUDED = log(20);

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

export function featureEvidence(
  units: UnitEvidence,
  { contrast }: Feature,
  span: { readonly first: number; readonly asOf: number },
  mayChange: boolean,
): FeatureEvidence {
  const { first, asOf } = span;
  const change = mayChange ? lastChange(units, first, asOf) : null;
  const starts = evidenceStarts(change?.since ?? first, change !== null, asOf);
  const sums = units.from(contrast, starts.from) ?? starts.from.map(noSums);
  return { change, starts, sums, logE: averageLogE(starts, sums) };
}

/**
 * The start that estimate, interval and probability are taken from: the earliest one whose evidence compares with the
 * strongest. So an effect that began late is not diluted by the time before it, and else nothing is thrown away.
 */
export function servedEvidence({ starts, sums }: FeatureEvidence): ServedEvidence {
  const logs = sums.map((own, i) => log(starts.weights[i] as number) + logEValue(own));
  const strongest = Math.max(...logs);
  const comparable = strongest - LOG_COMPARABLE;
  // Where the strongest excludes "no effect", so must the one that is served.
  const least = strongest >= LOG_EXCLUDED ? Math.max(comparable, LOG_EXCLUDED) : comparable;
  const i = logs.findIndex((logE) => logE >= least);
  return {
    since: starts.from[i] as number,
    logWeight: log(starts.weights[i] as number),
    sums: sums[i] as EvidenceSums,
  };
}
