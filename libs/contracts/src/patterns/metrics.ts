import type { DimensionName } from './levels';

/** The eleven metric chunks of the read API, and which dimensions each rests on. */
export interface Metric {
  readonly metricName: string;
  readonly title: string;
  readonly dimensions: readonly DimensionName[];
  /** Why a company with messages may have no data for it, and what to do. */
  readonly missing: string;
}

export const METRICS = [
  {
    metricName: 'tone',
    title: 'Tone',
    dimensions: ['tone'],
    missing: 'No message tells its tone: send tone, or body or body_excerpt, with the events.',
  },
  {
    metricName: 'body_content',
    title: 'Body content',
    dimensions: ['body_words'],
    missing: 'No message tells its length: send word_count, body or body_excerpt with the events.',
  },
  {
    metricName: 'subject_lines',
    title: 'Subject lines',
    dimensions: ['subject_words', 'subject_question', 'subject_number', 'subject_personal'],
    missing: 'No message has a subject: send subject with the events.',
  },
  {
    metricName: 'send_timing',
    title: 'Send timing',
    dimensions: ['weekday', 'daypart'],
    missing: 'No message tells when it was sent: send sent_at with the events.',
  },
  {
    metricName: 'readability',
    title: 'Readability',
    dimensions: ['readability'],
    missing: 'No message has a text long enough to judge: send body or body_excerpt with the events.',
  },
  {
    metricName: 'personalization',
    title: 'Personalization',
    dimensions: ['personalization'],
    missing: 'No message has a text: send body or body_excerpt with the events.',
  },
  {
    metricName: 'social_proof',
    title: 'Social proof',
    dimensions: ['social_proof_customers', 'social_proof_figures'],
    missing: 'No message has a text: send body or body_excerpt with the events.',
  },
  {
    metricName: 'messaging_approach',
    title: 'Messaging approach',
    dimensions: ['messaging_approach'],
    missing: 'No message has a text: send body or body_excerpt with the events.',
  },
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
    missing:
      'No message has a text or a subject with such a phrase: send body, body_excerpt or subject with the events.',
  },
  {
    metricName: 'llm',
    title: 'LLM analysis',
    dimensions: [],
    missing:
      'No language model has read messages: it is off unless the operator configures one, and reads bodies alone that were sent in body.',
  },
  {
    metricName: 'recipient_profiling',
    title: 'Recipient profiling',
    dimensions: [],
    missing: 'Nobody has answered yet: profiles are of people who answered.',
  },
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]['metricName'];

/** Rows that are stored beside the metric chunks: totals, and the weekday-by-hour table. */
export const OPERATIONAL_ANALYSES = ['general_analysis', 'timing_matrix'] as const;

export function analysisKeyOf(metricName: MetricName): string {
  return `${metricName}_analysis`;
}

/** Said of everything that an analysis found empty because the company has no message yet. */
export const NO_MESSAGES = 'No message has been counted yet: send outcomes to POST /ingest/events.';
/** Said of the same before the first analysis. */
export const NO_ANALYSIS_YET =
  'No analysis yet: it follows once outcomes sent to POST /ingest/events are processed.';
