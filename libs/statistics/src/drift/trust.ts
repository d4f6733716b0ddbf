import { requireDomain } from '../numerics/stats-domain-error';

/** What is known about one channel, or about a company's whole. */
export interface TrustInput {
  /** a look for a change was possible on the last settled day */
  readonly lookPossible: boolean;
  /** settled replies since the last accepted change, or since the first send */
  readonly settledReplies: number;
  /** days since the newest outcome; null where there is none */
  readonly newestOutcomeAgeDays: number | null;
  /** days since the last accepted change was told; null where there is none */
  readonly toldDaysAgo: number | null;
}

/** Why the numbers may be acted upon or not; the first that applies. */
export type TrustCase =
  'stale_outcomes' | 'too_little_settled' | 'relearning' | 'changed_recently' | 'steady';

/** State of the rate: whether it could be looked at, and whether it has changed of late. */
export type RateState = 'insufficient_data' | 'rate' | 'none';

export type TrustAlert =
  'very_stale_outcomes' | 'drift_not_evaluated' | 'drift_relearning' | 'drift_detected' | null;

export interface TrustVerdict {
  readonly case: TrustCase;
  readonly driftState: RateState;
  readonly trustworthy: boolean;
  readonly alert: TrustAlert;
  /** settled replies to wait for; 0 where it is not replies that lack */
  readonly repliesNeeded: number;
}

/** Settled replies since the last change, or the start, from which the posteriors rest on enough. */
export const TRUSTED_REPLIES = 20;
/** Age of the newest outcome beyond which nothing is known about today. */
export const STALE_AFTER_DAYS = 30;
/** Days for which an accepted change is news. */
export const NEWS_DAYS = 30;

function stateOf({ lookPossible, settledReplies, toldDaysAgo }: TrustInput): RateState {
  if (!lookPossible) return 'insufficient_data';
  if (toldDaysAgo === null) return settledReplies < TRUSTED_REPLIES ? 'insufficient_data' : 'none';
  return settledReplies < TRUSTED_REPLIES || toldDaysAgo <= NEWS_DAYS ? 'rate' : 'none';
}

/**
 * Whether the posteriors may be acted upon: a look was possible, 20 replies have settled since the last change or
 * the start, and the newest outcome is at most 30 days old.
 *
 * Shapes: one state in, one verdict out.
 * @param input - counts and ages, each >= 0
 * @returns the first case that applies, with its state, flag, alert and the replies still needed
 * @throws StatsDomainError with code `count` or `range`
 *
 * Reference: section 4.2 of the design; the threshold of 20 replies is a relative standard error of 22 %.
 *
 * @example
 * trust({ lookPossible: true, settledReplies: 12, newestOutcomeAgeDays: 1, toldDaysAgo: 3 }).case; // 'relearning'
 */
export function trust(input: TrustInput): TrustVerdict {
  const { lookPossible, settledReplies, newestOutcomeAgeDays: age, toldDaysAgo } = input;
  requireDomain(settledReplies >= 0 && settledReplies < Infinity, 'count', 'replies must be finite and >= 0');
  for (const days of [age, toldDaysAgo])
    requireDomain(days === null || (days >= 0 && days < Infinity), 'range', 'an age must be finite and >= 0');
  const driftState = stateOf(input);
  const missing = Math.max(0, Math.ceil(TRUSTED_REPLIES - settledReplies));
  const untrusted = { driftState, trustworthy: false } as const;
  const trusted = { driftState, trustworthy: true, repliesNeeded: 0 } as const;
  if (age === null || age > STALE_AFTER_DAYS)
    return { case: 'stale_outcomes', ...untrusted, alert: 'very_stale_outcomes', repliesNeeded: 0 };
  if (!lookPossible || (toldDaysAgo === null && missing > 0))
    return {
      case: 'too_little_settled',
      ...untrusted,
      alert: 'drift_not_evaluated',
      repliesNeeded: missing,
    };
  if (missing > 0)
    return { case: 'relearning', ...untrusted, alert: 'drift_relearning', repliesNeeded: missing };
  if (toldDaysAgo !== null && toldDaysAgo <= NEWS_DAYS)
    return { case: 'changed_recently', ...trusted, alert: 'drift_detected' };
  return { case: 'steady', ...trusted, alert: null };
}

const GRAVEST_FIRST: readonly TrustCase[] = [
  'stale_outcomes',
  'too_little_settled',
  'relearning',
  'changed_recently',
  'steady',
];

/**
 * A company's verdict: the gravest of its channels'.
 *
 * Shapes: K verdicts in, one verdict out.
 * @param verdicts - of all channels with sends in their last 90 days, at least one
 * @returns the gravest; of two alike the one that needs more replies
 * @throws StatsDomainError with code `size`
 *
 * Reference: as `trust`.
 *
 * @example
 * trustOfAll([trust({ lookPossible: false, settledReplies: 0, newestOutcomeAgeDays: 1, toldDaysAgo: null })]).trustworthy; // false
 */
export function trustOfAll(verdicts: readonly TrustVerdict[]): TrustVerdict {
  requireDomain(verdicts.length > 0, 'size', 'at least one channel is needed');
  const rank = (verdict: TrustVerdict): number => GRAVEST_FIRST.indexOf(verdict.case);
  return verdicts.reduce((a, b) =>
    rank(b) < rank(a) || (rank(b) === rank(a) && b.repliesNeeded > a.repliesNeeded) ? b : a,
  );
}
