import fc from 'fast-check';
import {
  BOUNCE_GUARD,
  CRITICAL_E_VALUE,
  UNSUBSCRIBE_GUARD,
  guardEValue,
  type Guard,
} from './complaint-guard';

/** Numerical Recipes' 32-bit generator: luck that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Message at which the guard first speaks, or undefined where it never does. */
function firstAlarm(rate: number, guard: Guard, messages: number, rng: () => number): number | undefined {
  let events = 0;
  for (let sent = 1; sent <= messages; sent += 1) {
    // Between events the e-value only falls.
    if (rng() >= rate) continue;
    events += 1;
    if (guardEValue(events, sent, guard) >= CRITICAL_E_VALUE) return sent;
  }
  return undefined;
}

function alarms(rate: number, guard: Guard, campaigns: number, seed: number): number[] {
  const rng = seeded(seed);
  return Array.from({ length: campaigns }, () => firstAlarm(rate, guard, 3_000, rng))
    .map((alarm) => alarm ?? Number.POSITIVE_INFINITY)
    .sort((a, b) => a - b);
}

describe('guardEValue', () => {
  it('is 1 before the first message', () => {
    expect(guardEValue(0, 0, BOUNCE_GUARD)).toBeCloseTo(1, 12);
  });

  it('is the likelihood ratio averaged over the rates above the limit', () => {
    // Midpoint rule over (0.03, 1) with the Beta(2, 18) density, 3 events in 20 messages.
    const steps = 200_000;
    let weight = 0;
    let sum = 0;
    for (let i = 0; i < steps; i += 1) {
      const p = 0.03 + ((i + 0.5) / steps) * 0.97;
      const density = p * (1 - p) ** 17;
      weight += density;
      sum += density * ((p / 0.03) ** 3 * ((1 - p) / 0.97) ** 17);
    }
    expect(guardEValue(3, 20, BOUNCE_GUARD)).toBeCloseTo(sum / weight, 6);
  });

  it('is a finite number, whatever the counts', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (events, rest) => {
        const value = guardEValue(events, events + rest, UNSUBSCRIBE_GUARD);
        return Number.isFinite(value) && value >= 0;
      }),
    );
  });

  it('grows with every further event', () => {
    for (let events = 0; events < 40; events += 1) {
      expect(guardEValue(events + 1, 100, BOUNCE_GUARD)).toBeGreaterThan(
        guardEValue(events, 100, BOUNCE_GUARD),
      );
    }
  });

  it('accuses a campaign that is just within its limit in at most 5 % of lives of 3,000 messages', () => {
    const bounces = alarms(0.03, BOUNCE_GUARD, 400, 1);
    expect(bounces.filter(Number.isFinite).length / 400).toBeLessThanOrEqual(0.05);
    const unsubscribes = alarms(0.01, UNSUBSCRIBE_GUARD, 400, 2);
    expect(unsubscribes.filter(Number.isFinite).length / 400).toBeLessThanOrEqual(0.05);
  });

  it('finds 8 % bounces within 130 messages and 15 % within 35, in the median', () => {
    expect(alarms(0.08, BOUNCE_GUARD, 400, 3)[200]).toBeLessThanOrEqual(130);
    expect(alarms(0.15, BOUNCE_GUARD, 400, 4)[200]).toBeLessThanOrEqual(35);
  });
});
