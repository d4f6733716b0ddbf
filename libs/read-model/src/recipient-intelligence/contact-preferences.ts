import {
  CHANNELS,
  PATTERN_CATALOGUE,
  type Channel,
  type PatternRecord,
  type RecipientIntelligence,
  type WorkflowDecision,
} from '@outcomes/contracts';
import { PLACES } from '../frame/trust-table';

type Preference = RecipientIntelligence['preferences'][number];

/** Dimensions of the catalogue that a single message can be planned by, and what this answer calls them. */
const PLANNED: Readonly<Record<string, string>> = {
  channel: 'channel',
  tone: 'tone',
  body_words: 'word_count',
  daypart: 'send_hour',
  weekday: 'send_day',
};

/** Confirmed or likely, and worth doing more of. */
export function supported(records: readonly PatternRecord[]): PatternRecord[] {
  return records.filter(
    (record) =>
      record.positive === true && (record.evidence_tier === 'confirmed' || record.evidence_tier === 'likely'),
  );
}

/** What the company's patterns say about writing to anybody: the strongest level of each planned dimension. */
export function preferencesOf(records: readonly PatternRecord[]): Preference[] {
  const preferences = new Map<string, Preference>();
  for (const record of supported(records)) {
    const pattern = PATTERN_CATALOGUE.find((candidate) => candidate.code === record.code);
    const dimension = pattern && PLANNED[pattern.dimension];
    if (!dimension || preferences.has(dimension)) continue;
    preferences.set(dimension, {
      dimension,
      value: pattern.level,
      lift: record.evidence?.lift ?? null,
      sample_size: record.evidence?.with_rate.n ?? 0,
      data_source: 'company',
    });
  }
  return [...preferences.values()];
}

/** The channel that the company's patterns prefer; null where they prefer none. */
export function preferredChannel(preferences: readonly Preference[]): Channel | null {
  const value = preferences.find(({ dimension }) => dimension === 'channel')?.value;
  return CHANNELS.find((channel) => channel === value) ?? null;
}

/**
 * Which of two channels holds for the contact, and why, where advice and the company's patterns name different ones.
 * @param decision - that the advice is; undefined where it is none
 */
export function overruled(
  preferences: readonly Preference[],
  { channel }: Pick<RecipientIntelligence['next_best_action'], 'channel'>,
  decision: Pick<WorkflowDecision, 'action' | 'exploration'> | undefined,
): string {
  const preferred = preferredChannel(preferences);
  if (preferred === null || channel === null || channel === preferred) return '';
  const stays = decision?.action === 'send' && !decision.exploration;
  const why = stays
    ? ': at its position, campaign and step no channel in use promises a quarter more'
    : ', which is made for its position, campaign and step';
  return ` Over all contacts first messages${PLACES[preferred]} get more replies; for this contact the advice${PLACES[channel]} holds${why}.`;
}
