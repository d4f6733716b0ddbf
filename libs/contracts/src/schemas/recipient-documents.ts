import type { RecipientAnalysis, RecipientProfile } from '../read-model/recipient-documents';
import {
  choice,
  count,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
  type Schema,
} from './json-schema';
import { rateSchema } from './shared-parts';

const CHART: Schema = {
  description: 'A Chart.js configuration, or an empty object where there is no data.',
  anyOf: [
    record({
      type: choice(['doughnut', 'bar'], 'Chart type.'),
      labels: texts('One per value.'),
      datasets: list(
        record(
          {
            label: text('What is shown.'),
            data: list({ type: 'number' }, 'Values.'),
            backgroundColor: texts('A colour per value.'),
          },
          undefined,
          ['backgroundColor'],
        ),
        'Series.',
      ),
      options: { type: 'object', description: 'Options of the chart library.' },
    }),
    { type: 'object', maxProperties: 0 },
  ],
};

/** Segments, as the recipient analysis and the recipient_profiling chunk show them. */
export const RECIPIENT_SEGMENTS_SCHEMA = list(
  record<RecipientAnalysis['segments'][number]>({
    id: text('Stable id.'),
    name: text('Name for people.'),
    size: count('Recipients in it.'),
    dominant_position: text('Position of most of them; unknown when mixed.'),
    key_insights: texts('What they have in common.'),
    optimal_patterns: { type: 'object', description: 'What they answer to, by dimension.' },
    confidence_level: choice(['high', 'medium'], 'high from size 10.'),
    stability: share('How well the segment stays when replies are drawn again: mean Jaccard similarity.'),
  }),
  'Groups of similar recipients.',
);

/** `data` of GET /patterns/recipients. */
export const RECIPIENT_ANALYSIS_SCHEMA = record<RecipientAnalysis>(
  {
    overview: record<RecipientAnalysis['overview']>({
      total_profiled: count('Recipients who have answered at least once.'),
      high_confidence_count: count('Those among them whose position is known with confidence.'),
      segments_count: count('Segments found.'),
      last_updated: nullable(timestamp('Last recompute; null without data.')),
      has_sufficient_data: flag('Whether there are enough profiles to speak of patterns.'),
    }),
    segments: RECIPIENT_SEGMENTS_SCHEMA,
    insights: list(
      record<RecipientAnalysis['insights'][number]>({
        type: text('position_pattern, segment_pattern, correlation or general.'),
        title: text('Headline.'),
        description: text('What was found, with its interval.'),
        confidence: text('high, medium or low.'),
        icon: text('Name of an icon.'),
        actionable: flag('Currently always true.'),
        sample_size: count('Messages behind it; 0 when not tracked.'),
      }),
      'What stands out.',
    ),
    position_breakdown: list(
      record<RecipientAnalysis['position_breakdown'][number]>(
        {
          position: text('Position bucket.'),
          count: count('Profiled recipients, at least 3.'),
          avg_confidence: share('Mean confidence in the position, 2 decimals.'),
          total_responses: count('Replies of these recipients.'),
          percentage: number('Share of all profiled recipients in per cent, 1 decimal.', {
            minimum: 0,
            maximum: 100,
          }),
          messages: count('Messages sent to this position.'),
          reply_rate: nullable(rateSchema('Reply rate of this position since replies last changed.')),
        },
        undefined,
        ['messages', 'reply_rate'],
      ),
      'Positions with at least 3 profiled recipients, most first; unknown is left out.',
    ),
    validation: record<RecipientAnalysis['validation']>({
      has_significant_patterns: flag('Whether any position differs from the rest.'),
      significant_dimensions: texts('Dimensions that do.'),
      overall_confidence: choice(['high', 'medium', 'low'], 'How far to trust the analysis.'),
    }),
    charts: record<RecipientAnalysis['charts']>({
      position_distribution: CHART,
      confidence_levels: CHART,
      segment_sizes: CHART,
    }),
    reasons: record<NonNullable<RecipientAnalysis['reasons']>>(
      {
        overview: text('Why nobody is profiled.'),
        segments: text('Why there are no segments.'),
        insights: text('Why there are no insights.'),
        position_breakdown: text('Why no position is listed.'),
        position_insights: text('Why insights about positions are withheld.'),
      },
      'Of each part that is empty or withheld, why it is; absent where none is.',
      ['overview', 'segments', 'insights', 'position_breakdown', 'position_insights'],
    ),
  },
  undefined,
  ['reasons'],
);

/** Element of GET /patterns/recommendation-profiles. */
export const RECIPIENT_PROFILE_SCHEMA = record<RecipientProfile>(
  {
    companyId: text('Tenant id.'),
    recipientId: text(
      'First 16 hexadecimal characters of the SHA-256 of the e-mail address; where none was ever sent, of `recipient_id:` followed by the recipient_id.',
      {
        pattern: '^[0-9a-f]{16}$',
      },
    ),
    inferred_position: text('Position bucket; unknown when uncategorised.'),
    original_position: nullable(text('The job title as sent, where it could not be categorised.')),
    position_confidence: share('Confidence in the position.'),
    response_count: integer('Replies of this recipient.', { minimum: 1 }),
    cluster_assignment: integer('Segment of the recipient; -1 when unassigned.', { minimum: -1 }),
    pattern_preferences: map(
      map({ type: 'integer', minimum: 0 }, 'Answered messages per level.'),
      'Answered messages per dimension and level.',
    ),
    response_metrics: record({ messages: count('Messages.'), responses: count('Replies.') }),
    statistical_tests: { type: 'object', description: 'Only on some rows.' },
    last_updated: timestamp('Newest outcome.'),
    email_domain: text('Domain of the address; unknown when unavailable.'),
    recommendation_code: text('Only on rows of an older format.'),
  },
  'One recipient who has answered at least once.',
  ['response_metrics', 'statistical_tests', 'recommendation_code'],
);
