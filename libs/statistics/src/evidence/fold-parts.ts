import type { CampaignScores } from './campaign-scores';
import { type CompanionPair, type CompanionStratum, companionUnits } from './companions';
import { comparisonsOf } from './counted-units';
import {
  type Contrast,
  contrastsOf,
  type EvidenceDesign,
  type Feature,
  isTimingFeature,
  timingContrasts,
} from './evidence-design';
import type { EvidenceUnit, FamilyEvidence } from './evidence-units';
import { exact } from './exact-sums';

/** What is counted of the past because a judgement asked for it: most of it nobody ever asks for. */
export interface FoldQuestions {
  /** features of which the sums over the newest fortnights are asked for, at any time: their effects may have ended */
  readonly watched: readonly number[];
  /** features and the fortnights in which they changed */
  readonly changes: readonly { readonly feature: number; readonly since: number }[];
  /** pairs of claims; `since`: the change that the pair's code counts from, or null */
  readonly pairs: readonly FoldedPair[];
}

export interface FoldedPair extends CompanionPair {
  readonly since: number | null;
}

/** A family with the strata of pairs of claims inside its campaigns. */
export interface FoldedFamily extends FamilyEvidence {
  strata?(pair: CompanionPair): readonly CompanionStratum[];
}

export const NO_QUESTIONS: FoldQuestions = { watched: [], changes: [], pairs: [] };
/** Numbers per feature: campaigns that compare, with, without, both. */
export const SIDES = 4;
/** Numbers per feature: comparisons, texts with, texts without. */
export const SUPPORT = 3;

/** Where the numbers of features and contrasts stand in a sheet. */
export interface FoldPlan {
  readonly timing: readonly number[];
  /** features whose units are families, and the place of each; likewise their contrasts */
  readonly features: readonly number[];
  readonly placeOf: ReadonlyMap<number, number>;
  readonly contrasts: readonly number[];
  readonly contrastPlaceOf: ReadonlyMap<number, number>;
}

export function foldPlan(design: EvidenceDesign): FoldPlan {
  const features = design.features.flatMap((feature, f) => (isTimingFeature(design, feature) ? [] : [f]));
  const contrasts = features.flatMap((f) => contrastsOf(design.features[f] as Feature));
  return {
    timing: timingContrasts(design),
    features,
    placeOf: new Map(features.map((f, place) => [f, place])),
    contrasts,
    contrastPlaceOf: new Map(contrasts.map((contrast, place) => [contrast, place])),
  };
}

/** Last rows of a campaign that compare a feature, are with it, are without it, and the earlier of both; or -1. */
export function lastRows(
  { width, contrasts }: EvidenceDesign,
  { length, v, levelN }: CampaignScores,
  { level, contrast }: Feature,
): [number, number, number, number] {
  const { others } = contrasts[contrast] as Contrast;
  let [compared, lastWith, lastWithout] = [-1, -1, -1];
  for (let row = length - 1; row >= 0 && (compared < 0 || lastWith < 0 || lastWithout < 0); row--) {
    if (compared < 0 && (v[row * contrasts.length + contrast] as number) > 0) compared = row;
    if (lastWith < 0 && (levelN[row * width + level] as number) > 0) lastWith = row;
    if (lastWithout < 0) {
      for (const other of others) {
        if ((levelN[row * width + other] as number) > 0) lastWithout = row;
      }
    }
  }
  return [compared, lastWith, lastWithout, Math.min(lastWith, lastWithout)];
}

export function supportOf(
  { distances, with: textsWith, without }: Pick<EvidenceUnit, 'distances' | 'with' | 'without'>,
  contrast: number,
): Float64Array {
  return Float64Array.of(
    comparisonsOf(distances[contrast] as number),
    exact(textsWith[contrast] as number),
    exact(without[contrast] as number),
  );
}

export function featureOfPair(design: EvidenceDesign, { code }: CompanionPair): Feature {
  const index = design.codes.findIndex((own) => own.code === code);
  return design.features[design.featureOf[index] as number] as Feature;
}

/** Scores of the strata of a family, fortnight by fortnight: of timing, whose units are those. */
export function stratumScores(
  design: EvidenceDesign,
  { first, length, ...unit }: EvidenceUnit,
  feature: Feature,
  strata: readonly CompanionStratum[],
): { readonly fortnight: number; readonly z: number; readonly v: number }[] {
  const fortnights = Array.from({ length }, (_, row) => ({
    ...unit,
    id: first + row,
    first: first + row,
    length: 1,
  }));
  const inside = companionUnits(design, fortnights, new Map(), feature, strata);
  return inside.map(({ first: fortnight, z, v }) => ({ fortnight, z: z[0] as number, v: v[0] as number }));
}
