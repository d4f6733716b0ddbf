import type { ChannelDrift, PatternEvidence } from '@outcomes/contracts';
import fc from 'fast-check';
import { evidenceOfToday, replyLevel } from './rates-of-today';

const rate = (value: number, n: number) => ({ value, ci_low: value / 2, ci_high: value * 2, n });
const evidence = (parts: Partial<PatternEvidence> = {}) =>
  ({
    ...{ odds_ratio: 1.5, odds_ratio_low: 1.2, odds_ratio_high: 1.9, counted_since: '2025-06-05' },
    ...{ with_rate: rate(0.14, 1_000), without_rate: rate(0.1, 3_000) },
    ...parts,
  }) as PatternEvidence;
const channel = (level: number, n: number, ...since: string[]) =>
  ({ rate: rate(level, n), changes: since.map((day) => ({ since: day })) }) as unknown as ChannelDrift;
const fallen = { channels: [channel(0.05, 2_000, '2025-02-01', '2026-01-05'), channel(0.09, 1_000)] };

describe('rates of a recommendation', () => {
  it('are as observed while replies have not changed since its evidence began', () => {
    const observed = evidence();
    expect(evidenceOfToday(observed, replyLevel({ channels: [channel(0.05, 900)] }))).toBe(observed);
    const begunLater = evidence({ counted_since: '2026-01-05' });
    expect(evidenceOfToday(begunLater, replyLevel(fallen))).toBe(begunLater);
  });

  it('are those since the change where it came later, with the odds ratio kept', () => {
    const level = replyLevel(fallen);
    expect(level).toEqual({ since: '2026-01-05', rate: expect.closeTo(190 / 3_000, 10) });
    const { with_rate, without_rate, level_since } = evidenceOfToday(evidence(), level);
    const [w, wo] = [with_rate.value ?? 0, without_rate.value ?? 0];
    expect(level_since).toBe('2026-01-05');
    expect((0.25 * w + 0.75 * wo) / (190 / 3_000)).toBeCloseTo(1, 5);
    expect(w / (1 - w) / (wo / (1 - wo))).toBeCloseTo(1.5, 4);
    expect(w).toBeLessThan(0.1);
  });

  it('never contradict the direction of the effect, and lie inside their intervals', () => {
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    const ratio = fc.double({ min: 0.05, max: 20, noNaN: true });
    fc.assert(
      fc.property(share, share, ratio, (level, p, k) => {
        const n = Math.max(1, Math.round(p * 10_000));
        const { with_rate, without_rate } = evidenceOfToday(
          evidence({
            ...{ odds_ratio: k, odds_ratio_low: k / 1.5, odds_ratio_high: k * 1.5 },
            ...{ with_rate: rate(0.1, n), without_rate: rate(0.1, 10_001 - n) },
          }),
          { since: '2026-01-05', rate: level },
        );
        const [w, wo] = [with_rate.value ?? Number.NaN, without_rate.value ?? Number.NaN];
        if (Math.abs(w - wo) > 1e-5) expect(w > wo).toBe(k > 1);
        for (const { value, ci_low, ci_high } of [with_rate, without_rate]) {
          expect(value).toBeGreaterThanOrEqual((ci_low ?? 1) - 1e-5);
          expect(value).toBeLessThanOrEqual((ci_high ?? 0) + 1e-5);
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
