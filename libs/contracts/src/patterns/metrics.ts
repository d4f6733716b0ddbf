import type { DimensionName } from './levels';

/** The eleven metric chunks of the read API, and which dimensions each rests on. */
export interface Metric {
  readonly metricName: string;
  readonly title: string;
  readonly dimensions: readonly DimensionName[];
}

export const METRICS = [
  { metricName: 'tone', title: 'Tone', dimensions: ['tone'] },
  { metricName: 'body_content', title: 'Body content', dimensions: ['body_words'] },
  {
    metricName: 'subject_lines',
    title: 'Subject lines',
    dimensions: ['subject_words', 'subject_question', 'subject_number', 'subject_personal'],
  },
  { metricName: 'send_timing', title: 'Send timing', dimensions: ['weekday', 'daypart'] },
  { metricName: 'readability', title: 'Readability', dimensions: ['readability'] },
  { metricName: 'personalization', title: 'Personalization', dimensions: ['personalization'] },
  {
    metricName: 'social_proof',
    title: 'Social proof',
    dimensions: ['social_proof_customers', 'social_proof_figures'],
  },
  { metricName: 'messaging_approach', title: 'Messaging approach', dimensions: ['messaging_approach'] },
  {
    metricName: 'key_phrases',
    title: 'Key phrases',
    dimensions: [
      'phrase_quick_question',
      'phrase_following_up',
      'phrase_worth_a_chat',
      'phrase_calendar_link',
      'phrase_no_pressure',
    ],
  },
  { metricName: 'llm', title: 'LLM analysis', dimensions: [] },
  { metricName: 'recipient_profiling', title: 'Recipient profiling', dimensions: [] },
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]['metricName'];

/** Rows that are stored beside the metric chunks: totals, and the weekday-by-hour table. */
export const OPERATIONAL_ANALYSES = ['general_analysis', 'timing_matrix'] as const;

export function analysisKeyOf(metricName: MetricName): string {
  return `${metricName}_analysis`;
}
