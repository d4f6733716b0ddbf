import { CHANNELS, type ChannelDrift, type ChannelVolume, type PatternEvidence } from '@outcomes/contracts';
import fc from 'fast-check';
import { adjustedEvidence, replyLevel } from './adjusted-evidence';

const rate = (value: number, n: number) => ({ value, ci_low: value / 2, ci_high: value * 2, n });
const evidence = (parts: Partial<PatternEvidence> = {}) =>
  ({
    ...{ odds_ratio: 1.5, odds_ratio_low: 1.2, odds_ratio_high: 1.9, counted_since: '2025-06-05' },
    ...{ with_rate: rate(0.14, 1_000), without_rate: rate(0.1, 3_000) },
    ...parts,
  }) as PatternEvidence;
const drift = (name: (typeof CHANNELS)[number], level: number, n: number, ...since: string[]) =>
  ({
    channel: name,
    rate: rate(level, n),
    changes: since.map((day) => ({ since: day })),
  }) as unknown as ChannelDrift;
const fallen = {
  channels: [drift('email', 0.05, 2_000, '2025-02-01', '2026-01-05'), drift('linkedin', 0.09, 1_000)],
};
/** Messages of two levels on each channel. */
const volume = (channel: (typeof CHANNELS)[number], ...levels: number[]): ChannelVolume => ({
  channel,
  messages: 1_000,
  levels,
});
const ratioOf = (w: number, wo: number) => w / (1 - w) / (wo / (1 - wo));

describe('where replies stand', () => {
  it('is nothing of its own where they never changed', () => {
    expect(replyLevel({ channels: [drift('email', 0.05, 900)] }, [], [0, 1])).toBeUndefined();
  });

  it('is of the channels that send such messages, as much as they do', () => {
    const both = [volume('email', 100, 200), volume('linkedin', 300, 300)];
    expect(replyLevel(fallen, both, [0, 1])).toEqual({
      since: '2026-01-05',
      rate: expect.closeTo((0.05 * 300 + 0.09 * 600) / 900, 10),
    });
    // Subject lines: the change on e-mail is theirs, the rate on LinkedIn is not.
    const mail = [volume('email', 100, 200), volume('linkedin', 0, 0)];
    expect(replyLevel(fallen, mail, [0, 1])?.rate).toBeCloseTo(0.05, 10);
    const social = [volume('email', 0, 0), volume('linkedin', 1, 1)];
    expect(replyLevel(fallen, social, [0, 1])).toBeUndefined();
  });

  it('is since the latest change of a channel that counts', () => {
    const changes = (email: string, linkedin: string) =>
      replyLevel(
        { channels: [drift('email', 0.05, 900, email), drift('linkedin', 0.05, 900, linkedin)] },
        [],
        [],
      )?.since;
    expect(changes('2026-01-05', '2025-03-01')).toBe('2026-01-05');
    expect(changes('2025-03-01', '2026-01-05')).toBe('2026-01-05');
  });

  it('has no part of a channel on which nothing has settled', () => {
    const unknown = {
      ...drift('linkedin', 0, 0, '2026-05-01'),
      rate: { value: null, ci_low: null, ci_high: null, n: 0 },
    };
    const both = [volume('email', 100), volume('linkedin', 300)];
    for (const volumes of [both, []])
      expect(
        replyLevel({ channels: [drift('email', 0.05, 900, '2026-01-05'), unknown] }, volumes, [0]),
      ).toEqual({
        since: '2026-01-05',
        rate: expect.closeTo(0.05, 10),
      });
  });

  it('is none where nobody has answered since, or everybody', () => {
    for (const [level, isThere] of [
      [0, false],
      [0.001, true],
      [0.999, true],
      [1, false],
    ] as const)
      expect(replyLevel({ channels: [drift('email', level, 900, '2026-01-05')] }, [], []) !== undefined).toBe(
        isThere,
      );
  });

  it('is that of all settled messages where none of the kind was sent of late', () => {
    expect(replyLevel(fallen, [], [0, 1])?.rate).toBeCloseTo(190 / 3_000, 10);
  });
});

describe('rates of a recommendation', () => {
  it('differ by the effect alone, where what was observed differs by the audience too', () => {
    // Observed 6.2 % with and 6.1 % without, among like messages a quarter fewer.
    const confounded = evidence({
      ...{ odds_ratio: 0.75, odds_ratio_low: 0.6, odds_ratio_high: 0.9 },
      ...{ with_rate: rate(0.062, 2_000), without_rate: rate(0.061, 6_000) },
    });
    const adjusted = adjustedEvidence(confounded, 0.06125, undefined);
    const [w, wo] = [adjusted.with_rate.value ?? 0, adjusted.without_rate.value ?? 0];
    expect(w).toBeLessThan(wo);
    expect(ratioOf(w, wo)).toBeCloseTo(0.75, 4);
    expect(0.25 * w + 0.75 * wo).toBeCloseTo(0.06125, 6);
    expect(adjusted.lift).toBeCloseTo(w / wo - 1, 5);
    expect([adjusted.lift_low < adjusted.lift, adjusted.lift < adjusted.lift_high]).toEqual([true, true]);
    expect(adjusted).not.toHaveProperty('level_since');
  });

  it('are at the level since the evidence began where replies have not changed since', () => {
    const begunLater = adjustedEvidence(
      evidence({ counted_since: '2026-01-05' }),
      0.11,
      replyLevel(fallen, [], []),
    );
    expect(begunLater).not.toHaveProperty('level_since');
    expect(
      0.25 * (begunLater.with_rate.value ?? 0) + 0.75 * (begunLater.without_rate.value ?? 0),
    ).toBeCloseTo(0.11, 6);
  });

  it('are those since the change where it came later, with the odds ratio kept', () => {
    const { with_rate, without_rate, level_since } = adjustedEvidence(
      evidence(),
      0.11,
      replyLevel(fallen, [], []),
    );
    const [w, wo] = [with_rate.value ?? 0, without_rate.value ?? 0];
    expect(level_since).toBe('2026-01-05');
    expect((0.25 * w + 0.75 * wo) / (190 / 3_000)).toBeCloseTo(1, 5);
    expect(ratioOf(w, wo)).toBeCloseTo(1.5, 4);
    expect(w).toBeLessThan(0.1);
  });

  it('are as observed where nobody answered, or everybody', () => {
    expect(adjustedEvidence(evidence(), 0, undefined)).toEqual(evidence());
    expect(adjustedEvidence(evidence(), 1, undefined)).toEqual(evidence());
  });

  it('never contradict the direction of the effect, and lie inside their intervals', () => {
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    const ratio = fc.double({ min: 0.05, max: 20, noNaN: true });
    fc.assert(
      fc.property(share, share, ratio, (level, p, k) => {
        const n = Math.max(1, Math.round(p * 10_000));
        const { with_rate, without_rate } = adjustedEvidence(
          evidence({
            ...{ odds_ratio: k, odds_ratio_low: k / 1.5, odds_ratio_high: k * 1.5 },
            ...{ with_rate: rate(0.1, n), without_rate: rate(0.1, 10_001 - n) },
          }),
          0.1,
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
