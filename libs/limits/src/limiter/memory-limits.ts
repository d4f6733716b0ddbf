import type { Clock } from '@outcomes/platform';
import { monthOf } from './month';
import type { LimitCheck, LimitVerdict } from './limit-verdict';

interface Window {
  count: number;
  endsAtMs: number;
}

/** Windows a pod remembers at most; beyond, the oldest go. */
const MAX_WINDOWS = 50_000;

/** What consume.lua does, in this pod's memory and by this pod's clock: for as long as Redis is away. */
export class MemoryLimits {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /** @param used - requests known of the present month, by whatever source */
  decide(name: string, check: LimitCheck, used: number): LimitVerdict {
    const now = this.clock.now();
    const nowMs = now.getTime();
    const window = this.window(`${name} ${check.surface}`, nowMs, check.windowMs);
    const state = { resetMs: window.endsAtMs - nowMs, month: monthOf(now), nowMs };
    const remaining = check.limit - window.count;
    if (remaining <= 0) return { ...state, kind: 'burst', remaining: 0, used };
    if (check.countsQuota && used >= check.quota) return { ...state, kind: 'quota', remaining, used };
    window.count += 1;
    return {
      ...state,
      kind: 'consumed',
      remaining: remaining - 1,
      used: used + Number(check.countsQuota),
    };
  }

  private window(name: string, nowMs: number, windowMs: number): Window {
    const present = this.windows.get(name);
    if (present && present.endsAtMs > nowMs) return present;
    const window = { count: 0, endsAtMs: nowMs + windowMs };
    this.windows.delete(name);
    this.windows.set(name, window);
    const oldest = this.windows.keys().next();
    if (this.windows.size > MAX_WINDOWS && !oldest.done) this.windows.delete(oldest.value);
    return window;
  }
}
