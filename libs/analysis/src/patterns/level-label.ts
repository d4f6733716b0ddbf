import {
  DIMENSIONS,
  PATTERN_CATALOGUE,
  type DimensionName,
  type PatternDefinition,
} from '@outcomes/contracts';
import { levelText } from '../documents/phrasing';

const PATTERN_OF_LEVEL: ReadonlyMap<string, PatternDefinition> = new Map(
  PATTERN_CATALOGUE.map((pattern) => [`${pattern.dimension}:${pattern.level}`, pattern]),
);

/** The pattern whose mark is this level; undefined for levels that only serve as the other side. */
export function patternOfLevel(dimension: DimensionName, level: string): PatternDefinition | undefined {
  return PATTERN_OF_LEVEL.get(`${dimension}:${level}`);
}

const DIMENSION_OF_CODE: ReadonlyMap<string, DimensionName> = new Map([
  ...PATTERN_CATALOGUE.map((pattern): [string, DimensionName] => [pattern.code, pattern.dimension]),
  ...DIMENSIONS.map(({ name }): [string, DimensionName] => [observationCodeOf(name), name]),
]);

/** Dimension that a catalogue code or an observation code speaks of. */
export function dimensionOfCode(code: string): DimensionName | undefined {
  return DIMENSION_OF_CODE.get(code);
}

/** What people call a level, e.g. "Direct tone" or, for a flag that is off, "Without: Offering a calendar link". */
export function levelLabel(dimension: DimensionName, level: string): string {
  const own = patternOfLevel(dimension, level);
  if (own) return own.title;
  const opposite = level === 'without' ? patternOfLevel(dimension, 'with') : undefined;
  return opposite
    ? `Without: ${opposite.title}`
    : `${capitalised(levelText(dimension))}: ${levelText(level)}`;
}

/** What people call a dimension, e.g. "Subject question". */
export function dimensionLabel(dimension: DimensionName): string {
  return capitalised(levelText(dimension));
}

/**
 * Code of the observation on a dimension, e.g. "BWC-OBS-1". Dimensions whose codes share a prefix are numbered in
 * their order, whatever happens to be shown, so that a code keeps its meaning.
 */
export function observationCodeOf(dimension: DimensionName): string {
  const prefix = codePrefixOf(dimension);
  const alike = DIMENSIONS.map(({ name }) => name).filter((name) => codePrefixOf(name) === prefix);
  return `${prefix}-OBS-${alike.indexOf(dimension) + 1}`;
}

/** Letters that the codes of a dimension begin with, e.g. "TA". */
function codePrefixOf(dimension: DimensionName): string | undefined {
  return PATTERN_CATALOGUE.find((pattern) => pattern.dimension === dimension)?.code.replace(/-\d+$/, '');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
