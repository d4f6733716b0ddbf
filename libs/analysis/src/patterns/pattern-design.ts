import {
  DIMENSIONS,
  levelIndex,
  levelIndexesOf,
  PATTERN_CATALOGUE,
  type Dimension,
} from '@outcomes/contracts';
import { patternDesign, type CodeSpec } from '@outcomes/statistics';

const REPLACES: ReadonlyMap<string, Dimension['replaces']> = new Map(
  DIMENSIONS.map((dimension: Dimension) => [dimension.name, dimension.replaces]),
);

const CODES: readonly CodeSpec[] = PATTERN_CATALOGUE.map(({ code, dimension, level }) => {
  const replaces = REPLACES.get(dimension);
  return {
    code,
    dimension,
    levels: [levelIndex(dimension, level)],
    dimensionLevels: levelIndexesOf(dimension),
    ...(replaces !== undefined && { stratumDrops: replaces }),
    // All messages of a send day have one weekday, so that a block of a single day compares nothing.
    ...(dimension === 'weekday' && { blocks: 'week' as const }),
  };
});

/** The catalogue as the statistics test it. */
export const PATTERN_DESIGN = patternDesign(CODES);
