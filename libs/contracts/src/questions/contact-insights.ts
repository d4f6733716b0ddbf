import { count, list, record } from '../schemas/json-schema';
import { CONTACT_INSIGHTS_EXAMPLE } from './examples/contact-insights';
import { ANALYSIS_KEY, TOTALS } from './parts/analysis-record';
import { question, type Answer } from './question';

export const CONTACT_INSIGHTS = question({
  name: 'ContactInsights',
  arguments: {},
  required: [],
  result: record({
    ...TOTALS,
    analyses_included: count('Analyses that the totals cover.'),
    by_analysis: list(
      record({ analysisKey: ANALYSIS_KEY, ...TOTALS }, undefined, ['total_opens', 'total_meetings']),
      'What each analysis could judge. A message may be judged by several; the totals count it once.',
    ),
  }),
  ofRun: true,
  rest: [
    {
      path: '/patterns/contact-insights',
      operation: 'contactInsights',
      says: 'Totals over the analyses.',
      summary: 'Totals over all analyses',
      description:
        'Messages, opens, replies and meetings. Each message counts once, however many analyses it is part of.',
    },
  ],
  example: CONTACT_INSIGHTS_EXAMPLE,
});
/** Sum of the summary fields over the analyses; each message counts once. */
export type ContactInsights = Answer<typeof CONTACT_INSIGHTS>;
