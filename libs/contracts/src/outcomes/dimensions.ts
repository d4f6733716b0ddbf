/**
 * The closed vocabularies of an outcome event. The position of a value in its list is what Postgres stores
 * (a smallint), so these lists are append-only: a value is never moved or removed.
 */
export const CHANNELS = ['email', 'linkedin'] as const;
export type Channel = (typeof CHANNELS)[number];

export const OUTCOMES = ['no_response', 'responded', 'bounced', 'unsubscribed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What else may be told of a message, in an event of its own. */
export const FACTS = ['sent', 'opened', 'clicked', 'auto_replied', 'meeting_booked'] as const;
export type Fact = (typeof FACTS)[number];

/** What an event tells: an outcome, or another fact. Stored by index: a fifth outcome would have to follow the facts. */
export const EVENT_KINDS = [...OUTCOMES, ...FACTS] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** How `outcome_at` is meant: the moment itself, or a bound of it. */
export const TIME_MEANINGS = ['exact', 'not_before', 'not_after'] as const;
export type TimeMeaning = (typeof TIME_MEANINGS)[number];

/**
 * As `outcome_at_is` is stored, by index: that_day is an exact time of which a date alone was told. A fourth meaning would
 * have to follow it.
 */
export const STORED_MEANINGS = [...TIME_MEANINGS, 'that_day'] as const;
export type StoredMeaning = (typeof STORED_MEANINGS)[number];

export const TONES = ['direct', 'conversational', 'professional', 'empathetic', 'questioning'] as const;
export type Tone = (typeof TONES)[number];

/** Buckets of job titles; `unknown` where a title says nothing that outreach could use. */
export const POSITIONS = [
  'unknown',
  'c_suite',
  'founder',
  'partner',
  'vp',
  'director',
  'manager',
  'technical',
  'individual_contributor',
  'administrative',
  'entry_level',
] as const;
export type Position = (typeof POSITIONS)[number];

/** Sequence steps 0 to 50 fall into three buckets; statistics never look at a single late step. */
export const STEP_BUCKETS = ['first_touch', 'early_follow_up', 'late_follow_up'] as const;

export const MAX_SEQUENCE_STEP = 50;

/**
 * Bucket of a zero-based sequence step.
 * @param step - integer from 0 to 50
 * @returns index into STEP_BUCKETS: 0 for the first message, 1 for steps 1 and 2, 2 for all later ones
 */
export function stepBucketOf(step: number): number {
  if (step === 0) return 0;
  return step <= 2 ? 1 : 2;
}

/** Days after sending at which the cohort of a send day is mature: nearly every reply has come by then. */
export const MATURITY_DAYS: Readonly<Record<Channel, number>> = { email: 14, linkedin: 21 };

/** Days since the newest message to a contact for which analyses decide about it: what is known of others is old. */
export const ACTIVE_DAYS = 30;
