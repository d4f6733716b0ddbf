import type { DimensionName } from './levels';

/** One pattern that the service looks for: a level of a dimension, and how it is presented. */
export interface PatternDefinition {
  readonly code: string;
  readonly dimension: DimensionName;
  /** The level that carries the pattern; it is compared with all other levels of the dimension. */
  readonly level: string;
  readonly title: string;
  readonly category: readonly string[];
  /** Dimension type as the read API names it, e.g. day, hour, range, tone. */
  readonly type: string;
  /** Analysis series that the pattern derives from. */
  readonly analysis: readonly string[];
  readonly chartType?: string;
}

/** Codes that share a prefix; the n-th row is `<prefix>-<n>`, so rows are only ever appended. */
interface PatternFamily extends Pick<PatternDefinition, 'category' | 'type' | 'analysis' | 'chartType'> {
  readonly prefix: string;
  readonly patterns: readonly (readonly [dimension: DimensionName, level: string, title: string])[];
}

const FAMILIES: readonly PatternFamily[] = [
  {
    prefix: 'TA',
    category: ['Content', 'Tone'],
    type: 'tone',
    analysis: ['tone'],
    chartType: 'bar',
    patterns: [
      ['tone', 'direct', 'Direct tone'],
      ['tone', 'conversational', 'Conversational tone'],
      ['tone', 'professional', 'Professional tone'],
      ['tone', 'empathetic', 'Empathetic tone'],
      ['tone', 'questioning', 'Questioning tone'],
    ],
  },
  {
    prefix: 'DOW',
    category: ['Timing', 'Day of week'],
    type: 'day',
    analysis: ['days'],
    patterns: [
      ['weekday', 'monday', 'Sending on Monday'],
      ['weekday', 'tuesday', 'Sending on Tuesday'],
      ['weekday', 'wednesday', 'Sending on Wednesday'],
      ['weekday', 'thursday', 'Sending on Thursday'],
      ['weekday', 'friday', 'Sending on Friday'],
      ['weekday', 'saturday', 'Sending on Saturday'],
      ['weekday', 'sunday', 'Sending on Sunday'],
    ],
  },
  {
    prefix: 'HOD',
    category: ['Timing', 'Time of day'],
    type: 'hour',
    analysis: ['hourly'],
    patterns: [
      ['daypart', 'early_morning', 'Sending in the early morning (05:00 to 08:00)'],
      ['daypart', 'morning', 'Sending in the morning (08:00 to 11:00)'],
      ['daypart', 'midday', 'Sending around midday (11:00 to 14:00)'],
      ['daypart', 'afternoon', 'Sending in the afternoon (14:00 to 17:00)'],
      ['daypart', 'evening_or_night', 'Sending in the evening or at night (17:00 to 05:00)'],
    ],
  },
  {
    prefix: 'BWC',
    category: ['Content', 'Body length'],
    type: 'range',
    analysis: ['body_word_count'],
    patterns: [
      ['body_words', 'under_50', 'Bodies under 50 words'],
      ['body_words', '50_to_99', 'Bodies of 50 to 99 words'],
      ['body_words', '100_to_149', 'Bodies of 100 to 149 words'],
      ['body_words', '150_to_199', 'Bodies of 150 to 199 words'],
      ['body_words', '200_or_more', 'Bodies of 200 words or more'],
    ],
  },
  {
    prefix: 'SWC',
    category: ['Subject line', 'Length'],
    type: 'range',
    analysis: ['subject_word_count'],
    patterns: [
      ['subject_words', '1_to_3', 'Subjects of 1 to 3 words'],
      ['subject_words', '4_to_6', 'Subjects of 4 to 6 words'],
      ['subject_words', '7_to_9', 'Subjects of 7 to 9 words'],
      ['subject_words', '10_or_more', 'Subjects of 10 words or more'],
    ],
  },
  {
    prefix: 'SF',
    category: ['Subject line', 'Form'],
    type: 'form',
    analysis: ['subject_form'],
    patterns: [
      ['subject_question', 'with', 'Subjects that ask a question'],
      ['subject_number', 'with', 'Subjects with a number'],
      ['subject_personal', 'with', 'Subjects addressed to the reader'],
    ],
  },
  {
    prefix: 'RD',
    category: ['Content', 'Readability'],
    type: 'readability',
    analysis: ['readability'],
    patterns: [
      ['readability', 'easy', 'Text that is easy to read'],
      ['readability', 'standard', 'Text of standard difficulty'],
      ['readability', 'difficult', 'Text that is difficult to read'],
    ],
  },
  {
    prefix: 'PER',
    category: ['Content', 'Personalization'],
    type: 'personalization',
    analysis: ['personalization'],
    patterns: [
      ['personalization', 'none', 'Messages without personalization'],
      ['personalization', 'light', 'Lightly personalized messages'],
      ['personalization', 'deep', 'Deeply personalized messages'],
    ],
  },
  {
    prefix: 'SP',
    category: ['Content', 'Social proof'],
    type: 'social_proof',
    analysis: ['social_proof'],
    patterns: [
      ['social_proof_customers', 'with', 'Naming customers or peers'],
      ['social_proof_figures', 'with', 'Quoting results in figures'],
    ],
  },
  {
    prefix: 'MA',
    category: ['Content', 'Messaging approach'],
    type: 'approach',
    analysis: ['messaging_approach'],
    patterns: [
      ['messaging_approach', 'problem_led', 'Opening with a problem'],
      ['messaging_approach', 'value_led', 'Opening with a benefit'],
      ['messaging_approach', 'question_led', 'Opening with a question'],
      ['messaging_approach', 'referral_led', 'Opening with a shared contact or trigger'],
    ],
  },
  {
    prefix: 'KP',
    category: ['Content', 'Key phrases'],
    type: 'phrase',
    analysis: ['key_phrases'],
    patterns: [
      ['phrase_quick_question', 'with', 'The phrase "quick question"'],
      ['phrase_following_up', 'with', 'Following-up phrases'],
      ['phrase_worth_a_chat', 'with', 'Soft asks such as "worth a chat?"'],
      ['phrase_calendar_link', 'with', 'Offering a calendar link'],
      ['phrase_no_pressure', 'with', 'Giving an easy way out'],
    ],
  },
  {
    prefix: 'SS',
    category: ['Sequence', 'Step'],
    type: 'step',
    analysis: ['sequence_steps'],
    patterns: [
      ['sequence_step', 'first_touch', 'First messages'],
      ['sequence_step', 'early_follow_up', 'First two follow-ups'],
      ['sequence_step', 'late_follow_up', 'Third and later follow-ups'],
    ],
  },
  {
    prefix: 'CH',
    category: ['Sequence', 'Channel'],
    type: 'channel',
    analysis: ['channels'],
    patterns: [
      ['channel', 'email', 'Reaching out by e-mail'],
      ['channel', 'linkedin', 'Reaching out on LinkedIn'],
    ],
  },
];

/** The catalogue: exactly 51 codes. A code is never renamed, moved or reused. */
export const PATTERN_CATALOGUE: readonly PatternDefinition[] = FAMILIES.flatMap(
  ({ prefix, patterns, ...family }) =>
    patterns.map(([dimension, level, title], row) => ({
      code: `${prefix}-${row + 1}`,
      dimension,
      level,
      title,
      ...family,
    })),
);

export const PATTERN_CODES: readonly string[] = PATTERN_CATALOGUE.map((pattern) => pattern.code);

/** What a piece of advice is about. */
export const ADVICE_KINDS = ['content', 'timing', 'channel', 'sequence'] as const;
export type AdviceKind = (typeof ADVICE_KINDS)[number];

const KIND_OF_DIMENSION: Readonly<Partial<Record<DimensionName, AdviceKind>>> = {
  weekday: 'timing',
  daypart: 'timing',
  channel: 'channel',
  sequence_step: 'sequence',
};

/** What advice on a dimension is about; all that is said of words, length and form is content. */
export function adviceKindOf(dimension: DimensionName): AdviceKind {
  return KIND_OF_DIMENSION[dimension] ?? 'content';
}
