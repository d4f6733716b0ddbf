import { StandingClock } from '@outcomes/testing';
import type { LimitCheck } from './limit-verdict';
import { MemoryLimits } from './memory-limits';
import { monthOf } from './month';

const check: LimitCheck = { surface: 'read', limit: 2, windowMs: 900_000, quota: 10, countsQuota: true };

describe('the limits of one pod', () => {
  let clock: StandingClock;
  let limits: MemoryLimits;
  beforeEach(() => {
    clock = new StandingClock('2026-12-31T23:50:00Z');
    limits = new MemoryLimits(clock);
  });

  it('let as many through as the window holds, and say when it ends and what is used', () => {
    const state = { resetMs: 900_000, month: monthOf(new Date('2026-12-31')), nowMs: clock.now().getTime() };
    expect(limits.decide('a', check, 3)).toEqual({ ...state, kind: 'consumed', remaining: 1, used: 4 });
    expect(limits.decide('a', { ...check, countsQuota: false }, 4)).toEqual({
      ...state,
      ...{ kind: 'consumed', remaining: 0, used: 4 },
    });
    expect(limits.decide('a', check, 4)).toEqual({ ...state, kind: 'burst', remaining: 0, used: 4 });
  });

  it.each([
    [9, true, 'consumed'],
    [10, true, 'quota'],
    [11, true, 'quota'],
    // What does not count against the month is not stopped by it.
    [11, false, 'consumed'],
  ])('with %d of 10 used and counting %s answer %s', (used, countsQuota, kind) => {
    expect(limits.decide('a', { ...check, countsQuota }, used).kind).toBe(kind);
  });

  it('take nothing from the window for what the month refuses', () => {
    expect(limits.decide('a', check, 10)).toMatchObject({ kind: 'quota', remaining: 2, used: 10 });
    expect(limits.decide('a', check, 10)).toMatchObject({ kind: 'quota', remaining: 2 });
  });

  it('hold nothing against a credential whose limit was lowered but for the rest of the window', () => {
    limits.decide('a', check, 0);
    limits.decide('a', check, 0);
    expect(limits.decide('a', { ...check, limit: 1 }, 0)).toMatchObject({ kind: 'burst', remaining: 0 });
  });

  it('are of one credential and one surface each', () => {
    const one = { ...check, limit: 1 };
    const kinds = (['read', 'ingest', 'read'] as const).flatMap((surface) =>
      ['a', 'b'].map((name) => limits.decide(name, { ...one, surface }, 0).kind),
    );
    expect(kinds).toEqual(['consumed', 'consumed', 'consumed', 'consumed', 'burst', 'burst']);
  });

  it('begin anew when the window ends, and not before', () => {
    const one = { ...check, limit: 1 };
    limits.decide('a', one, 0);
    clock.advance(899_999);
    expect(limits.decide('a', one, 0)).toMatchObject({ kind: 'burst', resetMs: 1 });
    clock.advance(1);
    expect(limits.decide('a', one, 0)).toMatchObject({ kind: 'consumed', resetMs: 900_000 });
  });

  it('forget the window that began first where there are more than fifty thousand', () => {
    const one = { ...check, limit: 1 };
    limits.decide('k0', one, 0);
    clock.advance(900_000);
    for (let n = 1; n < 50_000; n += 1) limits.decide(`k${n}`, one, 0);
    limits.decide('k0', one, 0);
    expect(limits.decide('k1', one, 0).kind).toBe('burst');
    limits.decide('one more', one, 0);
    const kinds = ['k0', 'k2', 'k1'].map((name) => limits.decide(name, one, 0).kind);
    expect(kinds).toEqual(['burst', 'burst', 'consumed']);
  });
});
