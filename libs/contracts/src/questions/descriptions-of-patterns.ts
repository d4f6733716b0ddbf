import { PATTERN_DESCRIPTIONS } from '../patterns/descriptions';
import { constant, map, record, text, texts, type TypeOf } from '../schemas/json-schema';
import { question } from './question';

const DESCRIPTION = record(
  {
    description: texts('Paragraphs, in order.'),
    category: texts('Category path.'),
    analysis: texts('Analysis series that the pattern derives from, e.g. days.'),
    type: text('Dimension type, e.g. day, hour, range, tone.'),
    chartType: text('Only on tone codes, e.g. bar.'),
    note: text('Only on a few entries.'),
  },
  undefined,
  ['chartType', 'note'],
);
/** What a pattern code means. */
export type PatternDescription = TypeOf<typeof DESCRIPTION>;

/** The analytics envelope, passed through. */
export const DESCRIPTIONS_OF_PATTERNS = question({
  name: 'PatternDescriptions',
  arguments: {},
  required: [],
  result: record({
    success: constant(true, 'Always true.'),
    data: map(DESCRIPTION, 'Entry per pattern code, 51 of them.', { minProperties: 51 }),
  }),
  rest: [
    {
      path: '/patterns/descriptions',
      operation: 'descriptions',
      says: 'Descriptions of all pattern codes.',
      summary: 'Catalogue of the pattern codes',
      description: 'What each of the 51 codes means; the same for every company.',
    },
  ],
  example: { success: true, data: PATTERN_DESCRIPTIONS },
});
