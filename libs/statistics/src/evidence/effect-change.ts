import { log } from '../numerics/log';
import { effectPosterior } from './effect-posterior';
import type { EvidenceSums } from './evidence-sums';
import { logEValue } from './log-e-value';
import type { UnitEvidence } from './unit-evidence';

/** Numbers of newest fortnights that are held against those before: 28, 56, 84 and 168 days. */
export const WINDOWS: readonly number[] = [2, 4, 6, 12];
/** Fortnights before a window from which there is an effect to contradict. */
const FORTNIGHTS_BEFORE = 3;
const LOG_SUPPORTED = log(20);
const LOG_CONTRADICTED = log(80);

/** An effect that no longer is what it was. */
export interface EffectChange {
  /** fortnight from which evidence counts anew */
  readonly since: number;
  /** last fortnight that was needed to see it */
  readonly seen: number;
}

/** Whether the newest fortnights contradict, on the side where less is left of it, an effect estimated before them. */
function contradicts(newest: EvidenceSums, estimate: number): boolean {
  const q = newest[2] as number;
  const observed = q > 0 ? (newest[1] as number) / q : estimate;
  return (observed - estimate) * estimate < 0 && logEValue(newest, estimate) >= LOG_CONTRADICTED;
}

/**
 * Goes through the fortnights as they passed, and begins anew wherever the newest of them contradict an effect that
 * those before them support. Being replayed from the counts it forgets nothing and latches nothing.
 *
 * @returns the last change, or null; and what could be told of it where not all has been counted
 */
export function lastChange(units: UnitEvidence, first: number, asOf: number): EffectChange | null {
  let since = first;
  let change: EffectChange | null = null;
  let before = units.until(since);
  for (let now = first + FORTNIGHTS_BEFORE; now <= asOf; now++) {
    for (const window of WINDOWS) {
      const from = now - window + 1;
      if (before === null || from - since < FORTNIGHTS_BEFORE) break;
      const earlier = before[from - since] as EvidenceSums;
      if (logEValue(earlier) < LOG_SUPPORTED) continue;
      const newest = units.newest(from, now);
      if (newest === null || !contradicts(newest, effectPosterior(earlier).mean)) continue;
      change = { since: from, seen: now };
      since = from;
      before = units.until(since);
      break;
    }
  }
  return change;
}
