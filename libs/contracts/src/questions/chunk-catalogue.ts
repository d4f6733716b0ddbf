import { METRICS } from '../patterns/metrics';
import { count, flag, known, list, nullable, record, text, timestamp } from '../schemas/json-schema';
import { CHUNK_CATALOGUE_EXAMPLE } from './examples/chunk-catalogue';
import { ANALYSIS_KEY, METRIC_NAMES } from './parts/analysis-record';
import { question, type Answer } from './question';

export const CHUNK_CATALOGUE = question({
  name: 'ChunkCatalogue',
  arguments: {},
  required: [],
  result: record({
    chunks: list(
      record(
        {
          metricName: known<readonly string[]>(METRIC_NAMES, 'Name in GET /patterns/chunks/{metricName}.'),
          title: text('Name for people.'),
          analysisKey: ANALYSIS_KEY,
          hasData: flag('Whether the metric can be read.'),
          lastUpdated: nullable(timestamp('Last recompute; null without data.')),
          recordCount: count('Groups with messages.'),
          sampleSize: count('Messages judged.'),
          reason: text('Why there is no data, and what to do; absent where there is some.'),
        },
        undefined,
        ['reason'],
      ),
      'The eleven metrics.',
      { minItems: METRICS.length, maxItems: METRICS.length },
    ),
    summary: record({
      total: count('Metrics.'),
      available: count('Metrics with data.'),
      lastUpdated: nullable(timestamp('Last recompute; null where no metric has data.')),
      totalSampleSize: count('Sum of sampleSize over the metrics.'),
    }),
  }),
  ofRun: true,
  rest: [
    {
      path: '/patterns/chunks',
      operation: 'chunks',
      says: 'Catalogue of the metric chunks.',
      summary: 'Catalogue of the metrics',
      description: 'The eleven metrics and which of them have data; of the others, why they have none.',
    },
  ],
  example: CHUNK_CATALOGUE_EXAMPLE,
});
export type ChunkCatalogue = Answer<typeof CHUNK_CATALOGUE>;
