import { NO_ANALYSIS_YET } from '../patterns/metrics';
import { reference, type Schema } from '../schemas/json-schema';
import type { AnalysisRecord } from './parts/analysis-record';
import { question } from './question';

const RESULT: Schema<AnalysisRecord | Readonly<Record<string, never>>> = {
  description: 'An analysis record, or an empty object where there is no analysis.',
  anyOf: [reference('AnalysisRecord'), { type: 'object', maxProperties: 0 }],
};

export const FIRST_ANALYSIS = question({
  name: 'FirstAnalysis',
  arguments: {},
  required: [],
  result: RESULT,
  ofRun: true,
  rest: [
    {
      path: '/patterns/analysis',
      operation: 'analysis',
      says: 'First stored analysis record.',
      empty: NO_ANALYSIS_YET,
      summary: 'First analysis record',
      description:
        'The first stored record in ascending order of analysisKey, which may be an operational row such as general_analysis; an empty object before the first run.',
    },
  ],
  example: {},
});
