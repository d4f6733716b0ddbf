import {
  CLAIM_END_REASONS,
  EVIDENCE_TIERS,
  type AnalysisRecord,
  type AnalysisSummary,
  type ChunkCatalogue,
  type ContactInsights,
  type PatternRecord,
} from '../read-model/documents';
import type { PatternDescription } from '../patterns/descriptions';
import { METRICS, OPERATIONAL_ANALYSES, analysisKeyOf } from '../patterns/metrics';
import {
  choice,
  constant,
  count,
  flag,
  integer,
  list,
  map,
  nullable,
  record,
  reference,
  share,
  text,
  texts,
  timestamp,
  type Schema,
} from './json-schema';
import { EVIDENCE_SCHEMA } from './evidence-parts';
import { RECIPIENT_SEGMENTS_SCHEMA } from './recipient-documents';
import { rateSchema } from './shared-parts';

const METRIC_NAMES = METRICS.map(({ metricName }) => metricName);
const ANALYSIS_KEYS = [...OPERATIONAL_ANALYSES, ...METRIC_NAMES.map(analysisKeyOf)];
const analysisKey = choice(
  ANALYSIS_KEYS,
  'Key of the record: a metric and `_analysis`, or an operational row.',
);
const markup = 'May contain the HTML elements b, em, strong and code, and no other.';

const findings: Omit<Record<keyof PatternRecord, Schema>, 'companyId' | 'updated'> = {
  code: text('Pattern code, e.g. TA-1, DOW-2 or BWC-OBS-1.', { pattern: '^[A-Z]+(-OBS)?-[0-9]+$' }),
  title: text(`Headline. ${markup}`),
  message: text(`What was found and what to do. ${markup}`),
  type: text(
    'Catalogue record type: recommendation, retraction or undecided; absent on observation records.',
  ),
  positive: flag('true: do more of this; false: avoid it.'),
  tier: integer('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional, 0 nothing claimed.', {
    minimum: 0,
    maximum: 3,
  }),
  evidence_tier: choice(EVIDENCE_TIERS, 'The tier in words; absent where nothing is claimed.'),
  metric: text('Metric or strategy summary.'),
  evidence: EVIDENCE_SCHEMA,
  reason: choice(
    CLAIM_END_REASONS,
    'Why nothing is claimed; only where nothing is. message says it in words.',
  ),
  goes_with: text('The stronger code that explains this one; only for the reason goes_with.'),
  first_confirmed_at: timestamp('When the code was first confirmed.'),
  retracted_at: timestamp('When a code that was confirmed or likely no longer was either.'),
};
const optionalFindings = [
  'title',
  'message',
  'type',
  'positive',
  'tier',
  'evidence_tier',
  'metric',
  'evidence',
  'reason',
  'goes_with',
  'first_confirmed_at',
  'retracted_at',
] as const;

/** Element of GET /patterns. */
export const PATTERN_RECORD_SCHEMA: Schema = {
  ...record<PatternRecord>(
    { companyId: text('Tenant id.'), ...findings, updated: timestamp('Last write.') },
    'One pattern and what the outcomes say of it.',
    [...optionalFindings, 'updated'],
  ),
  additionalProperties: true,
};

/** `data` of GET /patterns/descriptions: the analytics envelope, passed through. */
export const PATTERN_DESCRIPTIONS_SCHEMA = record({
  success: constant(true, 'Always true.'),
  data: map(
    record<PatternDescription>(
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
    ),
    'Entry per pattern code, 51 of them.',
    { minProperties: 51, maxProperties: 51 },
  ),
});

const counted: Record<keyof AnalysisSummary, Schema> = {
  total_messages: count('Messages.'),
  total_opens: count('Messages that were opened, as far as callers report it.'),
  total_replies: count('Messages that were answered.'),
  total_meetings: count('Messages that led to a meeting, as far as callers report it.'),
};

const DIMENSION_ANALYSIS = record(
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
        reply_rate: rateSchema('Reply rate on this level.'),
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
const POSITION_ANALYSES = list(
  record({
    position: text('Position bucket.'),
    messages: count('Messages to this position.'),
    replies: count('Replies to them.'),
    reply_rate: rateSchema('Reply rate of this position.'),
    profiled: count('Recipients who have answered.'),
  }),
  'Rates per position of the recipients.',
);

/** What the llm chunk holds in place of a dimension. */
const LLM_ANALYSIS = record({
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

/** The stored record of one analysis. */
export const ANALYSIS_RECORD_SCHEMA = record<AnalysisRecord>(
  {
    companyId: text('Tenant id.'),
    analysisKey,
    data: record<AnalysisRecord['data']>(
      {
        analyses: {
          type: 'object',
          description: 'Statistics per dimension; the keys depend on the metric.',
          properties: {
            timing_matrix: TIMING_MATRIX,
            positions: POSITION_ANALYSES,
            segments: RECIPIENT_SEGMENTS_SCHEMA,
            llm: LLM_ANALYSIS,
          },
          additionalProperties: DIMENSION_ANALYSIS,
        },
        recommendations: list(
          {
            ...record<Omit<PatternRecord, 'companyId' | 'updated'>>(findings, undefined, optionalFindings),
            additionalProperties: true,
          },
          'Pattern records of these dimensions.',
        ),
        insights: list({ type: 'object' }, 'Where the analysis emits them.'),
        summary: record<AnalysisSummary>(counted, 'Totals, where the analysis emits them.'),
      },
      undefined,
      ['insights', 'summary'],
    ),
    metadata: record<AnalysisRecord['metadata']>({
      metric: text('analysisKey without the `_analysis` suffix.'),
      version: constant('2.0', 'Version of the storage format.'),
      updated: timestamp('Last recompute.'),
    }),
  },
  'The stored record of one analysis.',
);

/** `data` of GET /patterns/analysis: a record, or an empty object before the first run. */
export const FIRST_ANALYSIS_SCHEMA: Schema = {
  description: 'An analysis record, or an empty object where there is no analysis.',
  anyOf: [reference('AnalysisRecord'), { type: 'object', maxProperties: 0 }],
};

/** `data` of GET /patterns/chunks. */
export const CHUNK_CATALOGUE_SCHEMA = record<ChunkCatalogue>({
  chunks: list(
    record<ChunkCatalogue['chunks'][number]>(
      {
        metricName: choice(METRIC_NAMES, 'Name in GET /patterns/chunks/{metricName}.'),
        title: text('Name for people.'),
        analysisKey,
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
  summary: record<ChunkCatalogue['summary']>({
    total: count('Metrics.'),
    available: count('Metrics with data.'),
    lastUpdated: nullable(timestamp('Last recompute; null where no metric has data.')),
    totalSampleSize: count('Sum of sampleSize over the metrics.'),
  }),
});

/** `data` of GET /patterns/contact-insights. */
export const CONTACT_INSIGHTS_SCHEMA = record<ContactInsights>({
  ...counted,
  analyses_included: count('Analyses that the totals cover.'),
  by_analysis: list(
    record<ContactInsights['by_analysis'][number]>({ analysisKey, ...counted }, undefined, [
      'total_opens',
      'total_meetings',
    ]),
    'What each analysis could judge. A message may be judged by several; the totals count it once.',
  ),
});
