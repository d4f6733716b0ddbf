import { METRICS, OPERATIONAL_ANALYSES, analysisKeyOf } from '../../patterns/metrics';
import {
  anything,
  count,
  known,
  list,
  nullable,
  record,
  share,
  text,
  texts,
  timestamp,
  type Schema,
  type TypeOf,
} from '../../schemas/json-schema';
import { PATTERN_FINDINGS } from './pattern-record';
import { rateOf } from './rates';
import { RECIPIENT_SEGMENTS } from './recipient-segments';

export const METRIC_NAMES = METRICS.map(({ metricName }) => metricName);
const ANALYSIS_KEYS: readonly string[] = [...OPERATIONAL_ANALYSES, ...METRIC_NAMES.map(analysisKeyOf)];
export const ANALYSIS_KEY = known(
  ANALYSIS_KEYS,
  'Key of the record: a metric and `_analysis`, or an operational row.',
);

/** Sums over the messages of an analysis. */
export const TOTALS = {
  total_messages: count('Messages.'),
  total_opens: count('Messages that were opened, as far as callers report it.'),
  total_replies: count('Messages that were answered.'),
  total_meetings: count('Messages that led to a meeting, as far as callers report it.'),
};
const SUMMARY = record(TOTALS, 'Totals, where the analysis emits them.');
export type AnalysisSummary = TypeOf<typeof SUMMARY>;

const DIMENSION = record(
  {
    total_messages: count('Messages that this dimension could judge.'),
    total_replies: count('Replies to them.'),
    levels: list(
      record({
        level: text('Name of the level.'),
        label: text('The level in words.'),
        code: nullable(text('Pattern code whose mark this level is.')),
        messages: count('Messages on this level.'),
        replies: count('Replies to them.'),
        share: share("Share of the dimension's messages."),
        reply_rate: rateOf('Reply rate on this level.'),
      }),
      'Every level of the dimension.',
    ),
  },
  'One dimension of the messages.',
);

const row = (items: Schema, description: string) =>
  list({ type: 'array', items, minItems: 24, maxItems: 24 }, description, { minItems: 7, maxItems: 7 });
const TIMING_MATRIX = record(
  {
    weekdays: texts('Rows: monday to sunday.'),
    hours: list({ type: 'integer', minimum: 0, maximum: 23 }, 'Columns: hours of the sender’s clock.'),
    messages: row({ type: 'integer', minimum: 0 }, 'Messages per weekday and hour.'),
    replies: row({ type: 'integer', minimum: 0 }, 'Replies per weekday and hour.'),
    reply_rate: row({ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'null where nothing was sent.'),
    total_messages: count('Messages whose hour is known.'),
  },
  'Weekday by hour.',
);
const POSITIONS = list(
  record({
    position: text('Position bucket.'),
    messages: count('Messages to this position.'),
    replies: count('Replies to them.'),
    reply_rate: rateOf('Reply rate of this position.'),
    profiled: count('Recipients who have answered.'),
  }),
  'Rates per position of the recipients.',
);

/** What the llm chunk holds in place of a dimension. */
const LLM = record({
  basis: text('What the texts rest on.'),
  model: text('Language model that wrote them.'),
  messages_read: count('Messages in the sample.'),
  answered_messages_read: count('Those among them that were answered.'),
  themes: list(
    record({ name: text('In a word or two.'), observation: text('In a sentence.') }),
    'What the messages are about.',
  ),
  strengths: texts('What speaks for them.'),
  weaknesses: texts('What speaks against them.'),
});

const ANALYSES: Schema<Readonly<Record<string, unknown>>> = {
  type: 'object',
  description: 'Statistics per dimension; the keys depend on the metric.',
  properties: {
    timing_matrix: TIMING_MATRIX,
    positions: POSITIONS,
    segments: RECIPIENT_SEGMENTS,
    llm: LLM,
  },
  additionalProperties: DIMENSION,
};

/** The stored record of one analysis. */
export const ANALYSIS_RECORD = record(
  {
    companyId: text('Tenant id.'),
    analysisKey: ANALYSIS_KEY,
    data: record(
      {
        analyses: ANALYSES,
        recommendations: list(PATTERN_FINDINGS, 'Pattern records of these dimensions.'),
        insights: list(anything('An insight.'), 'Where the analysis emits them.'),
        summary: SUMMARY,
      },
      undefined,
      ['insights', 'summary'],
    ),
    metadata: record({
      metric: text('analysisKey without the `_analysis` suffix.'),
      version: known(['2.0'], 'Version of the storage format.'),
      updated: timestamp('Last recompute.'),
    }),
  },
  'The stored record of one analysis.',
);
export type AnalysisRecord = TypeOf<typeof ANALYSIS_RECORD>;
