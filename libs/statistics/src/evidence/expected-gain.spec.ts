import fc from 'fast-check';
import { expectedGain, ratesAtOdds } from './expected-gain';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const level = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
const ratio = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

describe('the rates of an odds ratio', () => {
  it('mix to the level and have the odds ratio', () => {
    fc.assert(
      fc.property(level, share, ratio, (rate, part, oddsRatio) => {
        const pair = ratesAtOdds(rate, part, oddsRatio);
        expect((part * pair.with + (1 - part) * pair.without) / rate).toBeCloseTo(1, 9);
        const odds = pair.with / (1 - pair.with) / (pair.without / (1 - pair.without));
        expect(odds / oddsRatio).toBeCloseTo(1, 6);
      }),
      { seed: 3, numRuns: 1_000 },
    );
  });

  it.each([
    [0, 0.5, 2],
    [1, 0.5, 2],
    [0.1, 1.1, 2],
    [0.1, 0.5, 0],
    [0.1, 0.5, Infinity],
    [Number.NaN, 0.5, 2],
  ])('are refused for a level of %p, a share of %p and a ratio of %p', (rate, part, oddsRatio) => {
    expect(() => ratesAtOdds(rate, part, oddsRatio)).toThrow();
  });
});

describe('the gain to expect', () => {
  const effect = { expected: 2, low: 1.25, high: 4 };

  it('is what the messages without the pattern gain by it', () => {
    // At 4 of 40 and 5 of 95 the odds ratio is 2.111; 600 of 1,000 messages do not have it.
    const oddsRatio = 4 / 36 / (5 / 95);
    const group = { messages: 1_000, share: 0.4, level: 0.4 * 0.1 + 0.6 * (5 / 100) };
    const gain = expectedGain([group], { expected: oddsRatio, low: 1, high: 3 });
    expect(gain.replies).toBeCloseTo(600 * (0.1 - 0.05), 9);
    expect(gain.low).toBe(0);
  });

  it('is what the messages with a pattern to avoid gain without it', () => {
    const oddsRatio = 5 / 95 / (4 / 36);
    const group = { messages: 1_000, share: 0.6, level: 0.4 * 0.1 + 0.6 * 0.05 };
    const gain = expectedGain([group], { expected: oddsRatio, low: 0.2, high: 1.5 });
    expect(gain.replies).toBeCloseTo(600 * (0.1 - 0.05), 9);
    expect(gain.low).toBeLessThan(0);
    expect(gain.high).toBeGreaterThan(gain.replies);
  });

  it('adds up over channels, and is nothing where all messages follow the advice already', () => {
    const [one, other] = [
      { messages: 400, share: 0.2, level: 0.05 },
      { messages: 90, share: 0.5, level: 0.2 },
    ];
    const parts = [expectedGain([one], effect), expectedGain([other], effect)];
    const whole = expectedGain([one, other], effect);
    for (const end of ['replies', 'low', 'high'] as const)
      expect(whole[end]).toBeCloseTo((parts[0]?.[end] ?? 0) + (parts[1]?.[end] ?? 0), 9);
    expect(expectedGain([{ ...one, share: 1 }], effect)).toEqual({ replies: 0, low: 0, high: 0 });
  });

  it('lies between its ends, and is a gain whichever way the advice goes', () => {
    fc.assert(
      fc.property(
        level,
        share,
        ratio,
        fc.double({ min: 1, max: 5, noNaN: true }),
        (rate, part, or, width) => {
          const group = { messages: 1_000, share: part, level: rate };
          const gain = expectedGain([group], { expected: or, low: or / width, high: or * width });
          expect(gain.replies).toBeGreaterThanOrEqual(0);
          expect(gain.low).toBeLessThanOrEqual(gain.replies + 1e-9);
          expect(gain.high).toBeGreaterThanOrEqual(gain.replies - 1e-9);
        },
      ),
      { seed: 5, numRuns: 1_000 },
    );
  });
});
