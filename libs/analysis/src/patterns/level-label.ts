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

/** What people call the levels that no pattern is named after. */
const OTHER_SIDES: Readonly<Partial<Record<DimensionName, string>>> = {
  subject_question: 'Subjects that ask nothing',
  subject_number: 'Subjects without a number',
  subject_personal: 'Subjects that do not address the reader',
  social_proof_customers: 'Naming no customers or peers',
  social_proof_figures: 'Quoting no results in figures',
  messaging_approach: 'Opening in another way',
  phrase_quick_question: 'Messages without "quick question"',
  phrase_following_up: 'Messages without following-up phrases',
  phrase_worth_a_chat: 'Messages without a soft ask',
  phrase_calendar_link: 'Messages without a calendar link',
  phrase_no_pressure: 'Messages without an easy way out',
};

/** What people call a dimension, where its own name is not how they would say it. */
const DIMENSION_LABELS: Readonly<Partial<Record<DimensionName, string>>> = {
  daypart: 'Time of day',
  body_words: 'Length of the message',
  subject_words: 'Length of the subject line',
  subject_question: 'Questions in the subject line',
  subject_number: 'Numbers in the subject line',
  subject_personal: 'Subject lines addressed to the reader',
  social_proof_customers: 'Naming customers or peers',
  social_proof_figures: 'Results in figures',
  messaging_approach: 'How the message opens',
  phrase_quick_question: 'The phrase "quick question"',
  phrase_following_up: 'Following-up phrases',
  phrase_worth_a_chat: 'Soft asks',
  phrase_calendar_link: 'Calendar links',
  phrase_no_pressure: 'An easy way out',
};

/** What people call a level, e.g. "Direct tone" or, for a flag that is off, "Subjects without a number". */
export function levelLabel(dimension: DimensionName, level: string): string {
  const own = patternOfLevel(dimension, level);
  if (own) return own.title;
  return OTHER_SIDES[dimension] ?? `${dimensionLabel(dimension)}: ${levelText(level)}`;
}

/** What people call a dimension, e.g. "Questions in the subject line". */
export function dimensionLabel(dimension: DimensionName): string {
  return DIMENSION_LABELS[dimension] ?? capitalised(levelText(dimension));
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
  const own = PATTERN_CATALOGUE.find((pattern) => pattern.dimension === dimension) as PatternDefinition;
  return own.code.split('-')[0];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
