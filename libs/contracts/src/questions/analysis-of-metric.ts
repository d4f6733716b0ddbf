import { OPERATIONAL_ANALYSES } from '../patterns/metrics';
import { choice } from '../schemas/json-schema';
import { ANALYSIS_OF_METRIC_EXAMPLE } from './examples/analysis-of-metric';
import { ANALYSIS_RECORD, METRIC_NAMES } from './parts/analysis-record';
import { question, type Arguments } from './question';

export const ANALYSIS_OF_METRIC = question({
  name: 'AnalysisRecord',
  arguments: {
    metric_name: choice(
      [...METRIC_NAMES, ...OPERATIONAL_ANALYSES],
      'metricName of the catalogue, or one of the two rows beside it: general_analysis (totals, channels and steps), timing_matrix (weekday by hour).',
    ),
  },
  required: ['metric_name'],
  refusals: { metric_name: 'METRIC_NOT_FOUND' },
  result: ANALYSIS_RECORD,
  ofRun: true,
  rest: [
    {
      path: '/patterns/chunks/{metricName}',
      operation: 'chunk',
      inPath: { metricName: 'metric_name' },
      says: 'Analysis of one metric.',
      summary: 'Analysis of one metric',
      description: 'The stored analysis record of one metric. A metric without data is answered with 404.',
      fails: ['METRIC_NOT_FOUND', 'METRIC_HAS_NO_DATA'],
    },
  ],
  example: ANALYSIS_OF_METRIC_EXAMPLE,
});
export type MetricQuery = Arguments<typeof ANALYSIS_OF_METRIC>;
