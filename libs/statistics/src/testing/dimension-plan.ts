/** A feature dimension of generated messages: level names with their usual shares. */
export interface DimensionPlan {
  readonly name: string;
  readonly levels: readonly string[];
  readonly shares: readonly number[];
  /** set where the dimension is part of the stratum itself */
  readonly stratumPart?: 'channel' | 'step' | 'position';
  /** constant within a send day */
  readonly byDay?: boolean;
}

/** Thirteen dimensions with 51 levels in all, as many as the catalogue has codes. */
export const DIMENSIONS: readonly DimensionPlan[] = [
  {
    name: 'tone',
    levels: ['direct', 'conversational', 'professional', 'empathetic', 'questioning'],
    shares: [0.24, 0.2, 0.28, 0.13, 0.15],
  },
  {
    name: 'weekday',
    levels: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    shares: [0.19, 0.21, 0.21, 0.2, 0.15, 0.02, 0.02],
    byDay: true,
  },
  {
    name: 'daypart',
    levels: ['early', 'morning', 'midday', 'afternoon', 'evening'],
    shares: [0.1, 0.35, 0.2, 0.25, 0.1],
  },
  {
    name: 'length',
    levels: ['under_50', '50_75', '76_125', '126_200', 'over_200'],
    shares: [0.14, 0.26, 0.3, 0.2, 0.1],
  },
  { name: 'subject_length', levels: ['short', 'medium', 'long', 'very_long'], shares: [0.3, 0.4, 0.2, 0.1] },
  {
    name: 'subject_form',
    levels: ['plain', 'question', 'number', 'exclamation'],
    shares: [0.5, 0.22, 0.18, 0.1],
  },
  { name: 'readability', levels: ['easy', 'standard', 'hard'], shares: [0.35, 0.45, 0.2] },
  { name: 'personalization', levels: ['none', 'name', 'company'], shares: [0.4, 0.35, 0.25] },
  { name: 'social_proof', levels: ['absent', 'present'], shares: [0.7, 0.3] },
  { name: 'approach', levels: ['problem', 'value', 'question', 'referral'], shares: [0.3, 0.35, 0.2, 0.15] },
  {
    name: 'key_phrase',
    levels: ['none', 'quick_question', 'worth_a_chat', 'free_trial'],
    shares: [0.5, 0.2, 0.18, 0.12],
  },
  { name: 'step', levels: ['first', 'second', 'later'], shares: [0.5, 0.3, 0.2], stratumPart: 'step' },
  { name: 'channel', levels: ['email', 'linkedin'], shares: [0.75, 0.25], stratumPart: 'channel' },
];

/** Positions are part of the stratum but no pattern dimension of their own. */
export const POSITIONS = ['c_suite', 'vp', 'manager', 'technical'] as const;
export const POSITION_SHARES = [0.15, 0.25, 0.35, 0.25] as const;

/**
 * Index of each dimension's first level in a flat level array, and the total number of levels.
 *
 * @example
 * levelOffsets(DIMENSIONS).width; // 51
 */
export function levelOffsets(dimensions: readonly DimensionPlan[]): {
  offsets: readonly number[];
  width: number;
} {
  let width = 0;
  const offsets = dimensions.map(({ levels }) => {
    const offset = width;
    width += levels.length;
    return offset;
  });
  return { offsets, width };
}
