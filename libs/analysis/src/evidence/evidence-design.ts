import { DIMENSIONS, levelIndex, levelIndexesOf, PATTERN_CATALOGUE } from '@outcomes/contracts';
import { evidenceDesign, type DimensionKind } from '@outcomes/statistics';

/** Dimensions that are no matter of the text. */
const KINDS: ReadonlyMap<string, DimensionKind> = new Map<string, DimensionKind>([
  ['weekday', 'weekday'],
  ['daypart', 'daypart'],
  ['sequence_step', 'step'],
  ['channel', 'channel'],
]);

/** The catalogue as the evidence about texts compares it; levels are those of the count arrays. */
export const EVIDENCE_DESIGN = evidenceDesign(
  DIMENSIONS.map(({ name }) => ({ name, kind: KINDS.get(name) ?? 'text', levels: levelIndexesOf(name) })),
  PATTERN_CATALOGUE.map(({ code, dimension, level }) => ({
    code,
    dimension,
    level: levelIndex(dimension, level),
  })),
);
