import { BOUNCE_PRIOR, JEFFREYS, rateEstimate, UNSUBSCRIBE_PRIOR } from './rate-estimate';

describe('a rate', () => {
  it('is the mean of its posterior, inside the interval, which narrows with messages', () => {
    const few = rateEstimate(5, 100, JEFFREYS);
    expect(few.value).toBeCloseTo(5.5 / 101, 12);
    // The quantiles of Beta(5.5, 95.5).
    expect(few.ci_low).toBeCloseTo(0.0192, 3);
    expect(few.ci_high).toBeCloseTo(0.1061, 3);
    expect(few.n).toBe(100);
    const many = rateEstimate(500, 10_000, JEFFREYS);
    expect((many.ci_high ?? 0) - (many.ci_low ?? 0)).toBeLessThan(0.01);
  });

  it.each([
    ['bounces', BOUNCE_PRIOR, 0.5 / 25],
    ['unsubscribes', UNSUBSCRIBE_PRIOR, 0.5 / 50],
  ])('of %s is at first what a sound sender has, and soon its own', (_what, prior, sound) => {
    expect(prior.alpha / (prior.alpha + prior.beta)).toBe(sound);
    expect(rateEstimate(500, 1_000, prior).value).toBeGreaterThan(0.45);
  });

  it('is unknown without a message', () => {
    expect(rateEstimate(0, 0, JEFFREYS)).toEqual({ value: null, ci_low: null, ci_high: null, n: 0 });
  });
});
