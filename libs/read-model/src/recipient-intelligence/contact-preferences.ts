import { PATTERN_CATALOGUE, type PatternRecord, type RecipientIntelligence } from '@outcomes/contracts';

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
