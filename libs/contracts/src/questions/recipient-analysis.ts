import {
  anything,
  count,
  flag,
  known,
  list,
  nullable,
  number,
  record,
  share,
  text,
  texts,
  timestamp,
  type Schema,
} from '../schemas/json-schema';
import { RECIPIENT_ANALYSIS_EXAMPLE } from './examples/recipient-analysis';
import { rateOf } from './parts/rates';
import { RECIPIENT_SEGMENTS } from './parts/recipient-segments';
import { question, type Answer } from './question';

/** A chart configuration as chart libraries take it; an empty object where there is no data. */
export type ChartConfiguration = Readonly<Record<string, unknown>>;
const CHART: Schema<ChartConfiguration> = {
  description: 'A Chart.js configuration, or an empty object where there is no data.',
  anyOf: [
    record({
      type: known(['doughnut', 'bar'], 'Chart type.'),
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
      options: anything('Options of the chart library.'),
    }),
    { type: 'object', maxProperties: 0 },
  ],
};

/** Parts of the recipient analysis that may be empty, and insights that a change of replies may withhold. */
const PARTS = ['overview', 'segments', 'insights', 'position_breakdown', 'position_insights'] as const;

export const RECIPIENT_ANALYSIS = question({
  name: 'RecipientAnalysis',
  arguments: {},
  required: [],
  result: record(
    {
      overview: record({
        total_profiled: count('Recipients who have answered at least once.'),
        high_confidence_count: count('Those among them whose position is known with confidence.'),
        segments_count: count('Segments found.'),
        last_updated: nullable(timestamp('Last recompute; null without data.')),
        has_sufficient_data: flag('Whether there are enough profiles to speak of patterns.'),
      }),
      segments: RECIPIENT_SEGMENTS,
      insights: list(
        record({
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
        record(
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
            reply_rate: nullable(
              rateOf(
                'Reply rate of this position since replies last changed; null values while all its messages are too young to tell.',
              ),
            ),
          },
          undefined,
          ['messages', 'reply_rate'],
        ),
        'Positions with at least 3 profiled recipients, most first; unknown is left out.',
      ),
      validation: record({
        has_significant_patterns: flag('Whether any position differs from the rest.'),
        significant_dimensions: texts('Dimensions that do.'),
        overall_confidence: known(['high', 'medium', 'low'], 'How far to trust the analysis.'),
      }),
      charts: record({
        position_distribution: CHART,
        confidence_levels: CHART,
        segment_sizes: CHART,
      }),
      reasons: record(
        {
          overview: text('Why nobody is profiled.'),
          segments: text('Why there are no segments.'),
          insights: text('Why there are no insights.'),
          position_breakdown: text('Why no position is listed.'),
          position_insights: text('Why insights about positions are withheld.'),
        },
        'Of each part that is empty or withheld, why it is; absent where none is.',
        PARTS,
      ),
    },
    undefined,
    ['reasons'],
  ),
  ofRun: true,
  rest: [
    {
      path: '/patterns/recipients',
      operation: 'recipients',
      says: 'Recipient analysis.',
      summary: 'Recipient analysis',
      description:
        'Who answers, by position and segment, with chart configurations. Well formed and empty without data.',
    },
  ],
  example: RECIPIENT_ANALYSIS_EXAMPLE,
});
/** Document `recipients`: `data` of GET /patterns/recipients. */
export type RecipientAnalysis = Answer<typeof RECIPIENT_ANALYSIS>;
