/**
 * Dimensions of a message and their levels. A touch carries at most one level per dimension; none where the
 * caller sent nothing to judge by. Flags (has a question, has none) are dimensions of two levels, so that
 * "without" is observed and not merely absent.
 *
 * The position of a level in LEVELS is its index in the count arrays of Postgres: append-only.
 */
export interface Dimension {
  readonly name: string;
  readonly levels: readonly string[];
  /** Which part of the stratum this dimension is itself, and must leave when its own levels are compared. */
  readonly replaces?: 'channel' | 'step';
}

export const DIMENSIONS = [
  { name: 'tone', levels: ['direct', 'conversational', 'professional', 'empathetic', 'questioning'] },
  {
    name: 'weekday',
    levels: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  },
  { name: 'daypart', levels: ['early_morning', 'morning', 'midday', 'afternoon', 'evening_or_night'] },
  { name: 'body_words', levels: ['under_50', '50_to_99', '100_to_149', '150_to_199', '200_or_more'] },
  { name: 'subject_words', levels: ['1_to_3', '4_to_6', '7_to_9', '10_or_more'] },
  { name: 'subject_question', levels: ['with', 'without'] },
  { name: 'subject_number', levels: ['with', 'without'] },
  { name: 'subject_personal', levels: ['with', 'without'] },
  { name: 'readability', levels: ['easy', 'standard', 'difficult'] },
  { name: 'personalization', levels: ['none', 'light', 'deep'] },
  { name: 'social_proof_customers', levels: ['with', 'without'] },
  { name: 'social_proof_figures', levels: ['with', 'without'] },
  {
    name: 'messaging_approach',
    levels: ['problem_led', 'value_led', 'question_led', 'referral_led', 'other'],
  },
  { name: 'phrase_quick_question', levels: ['with', 'without'] },
  { name: 'phrase_following_up', levels: ['with', 'without'] },
  { name: 'phrase_worth_a_chat', levels: ['with', 'without'] },
  { name: 'phrase_calendar_link', levels: ['with', 'without'] },
  { name: 'phrase_no_pressure', levels: ['with', 'without'] },
  {
    name: 'sequence_step',
    levels: ['first_touch', 'early_follow_up', 'late_follow_up'],
    replaces: 'step',
  },
  { name: 'channel', levels: ['email', 'linkedin'], replaces: 'channel' },
] as const satisfies readonly Dimension[];

export type DimensionName = (typeof DIMENSIONS)[number]['name'];

/** Every level as `dimension:level`, in count-array order. */
export const LEVELS: readonly string[] = DIMENSIONS.flatMap((dimension) =>
  dimension.levels.map((level) => `${dimension.name}:${level}`),
);
export const LEVEL_COUNT = LEVELS.length;

/** By dimension, then level: looked up some twenty times for each message, where a joined name would be made each time. */
const INDEXES = new Map<string, ReadonlyMap<string, number>>(
  DIMENSIONS.map(({ name, levels }) => [
    name,
    new Map(levels.map((level) => [level, LEVELS.indexOf(`${name}:${level}`)])),
  ]),
);
const DIMENSION_OF_NAME = new Map<string, Dimension>(
  DIMENSIONS.map((dimension) => [dimension.name, dimension]),
);

/**
 * Index of a level in the count arrays.
 * @throws RangeError where the dimension has no such level: a fault of the caller's code, not of data
 */
export function levelIndex(dimension: DimensionName, level: string): number {
  const index = INDEXES.get(dimension)?.get(level);
  if (index === undefined) throw new RangeError(`no level ${level} in dimension ${dimension}`);
  return index;
}

/** Indexes of all levels of a dimension, in order. */
export function levelIndexesOf(name: DimensionName): readonly number[] {
  const dimension = dimensionOf(name);
  return dimension.levels.map((level) => levelIndex(name, level));
}

/** @throws RangeError where there is no such dimension */
export function dimensionOf(name: DimensionName): Dimension {
  const dimension = DIMENSION_OF_NAME.get(name);
  if (!dimension) throw new RangeError(`no dimension ${name}`);
  return dimension;
}
