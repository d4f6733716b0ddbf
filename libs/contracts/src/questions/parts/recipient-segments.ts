import { anything, count, known, list, record, share, text, texts } from '../../schemas/json-schema';

/** Segments, as the recipient analysis and the recipient_profiling chunk show them. */
export const RECIPIENT_SEGMENTS = list(
  record({
    id: text('Stable id.'),
    name: text('Name for people.'),
    size: count('Recipients in it.'),
    dominant_position: text('Position of most of them; unknown when mixed.'),
    key_insights: texts('What they have in common.'),
    optimal_patterns: anything('What they answer to, by dimension.'),
    confidence_level: known(['high', 'medium'], 'high from size 10.'),
    stability: share('How well the segment stays when replies are drawn again: mean Jaccard similarity.'),
  }),
  'Groups of similar recipients.',
);
