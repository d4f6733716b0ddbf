import { ACTIVE_DAYS } from '@outcomes/contracts';

/** The rules that decisions are made under; they are part of every frozen model. */
export const DECISION_POLICY = {
  /** Nobody is written to more than eight times without an answer. */
  maxSteps: 8,
  /** A second message within two days reads as pressure, whatever the rates say. */
  minGapDays: 2,
  /** Contacts without a message for longer are left alone: what is known of them is old. */
  activeDays: ACTIVE_DAYS,
} as const;

/** Matured messages of this many days say how steps differ. */
export const HISTORY_DAYS = 180;
/** Contacts decided about in one transaction: it holds the lock that erasure waits for. */
export const BATCH = 500;
/** Most contacts that one run decides about; the runs after it take the rest. */
export const MAX_CONTACTS = 200_000;
