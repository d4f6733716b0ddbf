import type { Month } from './month';

/** What consume.lua, or a pod's memory in its place, decided. */
export interface Verdict {
  readonly kind: 'consumed' | 'burst' | 'quota' | 'month-unknown';
  /** Requests left in the window. */
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetMs: number;
  /** Requests counted in the month. */
  readonly used: number;
  readonly month: Month;
  /** By the clock that decided. */
  readonly nowMs: number;
}

/** What is asked of it. */
export interface Question {
  readonly surface: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly quota: number;
  readonly countsQuota: boolean;
}

const KINDS = ['consumed', 'burst', 'quota', 'month-unknown'] as const;

/** @param reply - the output of consume.lua */
export function parseVerdict(reply: unknown): Verdict {
  const [kind = 3, remaining = 0, resetMs = 0, used = 0, month = 0, nowMs = 0] = reply as number[];
  return { kind: KINDS[kind] ?? 'month-unknown', remaining, resetMs, used, month, nowMs };
}
