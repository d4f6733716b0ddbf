import type { Month } from './month';

/** What consume.lua, or a pod's memory in its index, decided on one request. */
export interface LimitVerdict {
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
export interface LimitCheck {
  readonly surface: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly quota: number;
  readonly countsQuota: boolean;
}

/** What consume.lua decided on requests that came together. */
export interface BatchResult {
  /** So many of them passed, the first ones. */
  readonly consumed: number;
  /** What became of the last one. */
  readonly last: LimitVerdict;
}

const KINDS = ['consumed', 'burst', 'quota', 'month-unknown'] as const;

/** @param reply - the output of consume.lua */
export function parseBatchResult(reply: unknown): BatchResult {
  const [consumed = 0, kind = 3, remaining = 0, resetMs = 0, used = 0, month = 0, nowMs = 0] =
    reply as number[];
  const last = { kind: KINDS[kind] ?? 'month-unknown', remaining, resetMs, used, month, nowMs } as const;
  return { consumed, last };
}

/** @param index - of the request among those of the result, from 0 */
export function verdictAt(
  { consumed, last }: BatchResult,
  index: number,
  countsQuota: boolean,
): LimitVerdict {
  const later = consumed - 1 - index;
  if (later < 0) return last;
  return {
    kind: 'consumed',
    remaining: last.remaining + later,
    resetMs: last.resetMs,
    used: last.used - (countsQuota ? later : 0),
    month: last.month,
    nowMs: last.nowMs,
  };
}
