import {
  levelIndex,
  levelIndexesOf,
  STEP_BUCKETS,
  stepBucketOf,
  type DimensionName,
} from '@outcomes/contracts';
import type { EvidenceCompany } from '@outcomes/statistics/testing';

/** Of fortnight 1,461, whose number does not matter. */
export const FIRST_SEND_DAY = 14 * 1_461;

/** A message as the counts know it. */
export interface SentMessage {
  readonly day: number;
  readonly campaignId: string | null;
  readonly step: number;
  readonly position: number;
  readonly channel: number;
  readonly levels: readonly number[];
  readonly textId: number;
  /** Of the subject, where it is told apart otherwise than the body. */
  readonly subjectId?: number;
  readonly variantId: string | null;
  readonly isReply: boolean;
}

/** The dimensions of generated companies, by the names that they have here. */
const NAMES: readonly DimensionName[] = [
  'tone',
  'body_words',
  'subject_words',
  'subject_question',
  'subject_number',
  'subject_personal',
  'readability',
  'personalization',
  'social_proof_customers',
  'social_proof_figures',
  'messaging_approach',
  'phrase_quick_question',
  'phrase_following_up',
  'phrase_worth_a_chat',
  'phrase_calendar_link',
  'phrase_no_pressure',
  'daypart',
  'weekday',
  'sequence_step',
  'channel',
];

/** The columns of a generated company's messages; by message, the levels by message and dimension. */
type MessageColumns = Readonly<
  Record<
    'day' | 'campaign' | 'step' | 'position' | 'channel' | 'variant' | 'text' | 'bin' | 'reply' | 'levels',
    readonly number[]
  >
>;

/** The messages of a generated company, in the order in which they were sent. */
export function messagesOf(company: EvidenceCompany): SentMessage[] {
  const { table } = company as unknown as { readonly table: MessageColumns };
  return Array.from(table.day, (day, message): SentMessage => {
    const step = table.step[message] as number;
    const levels = NAMES.map((name, d) => {
      if (name === 'sequence_step') return levelIndex(name, STEP_BUCKETS[stepBucketOf(step)] ?? '');
      const first = company.design.dimensions[d]?.levels[0] ?? 0;
      return levelIndexesOf(name)[(table.levels[message * NAMES.length + d] as number) - first] as number;
    });
    return {
      day: FIRST_SEND_DAY + day,
      campaignId: `campaign ${table.campaign[message]}`,
      step,
      position: table.position[message] as number,
      channel: table.channel[message] as number,
      levels,
      textId: (table.text[message] as number) * 64 + (table.bin[message] as number),
      variantId: `v${table.variant[message]}`,
      isReply: table.reply[message] === 1,
    };
  });
}
