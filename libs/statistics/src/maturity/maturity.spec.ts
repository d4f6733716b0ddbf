import { DELAY_BINS_PER_DAY, EMAIL_DELAY, fitDelayCurve, LINKEDIN_DELAY, maturity } from '.';

describe('the delay curve', () => {
  const quick = Int32Array.from({ length: 14 * DELAY_BINS_PER_DAY }, (_, b) => (b < 4 ? 50 : 0));
  it('rises from zero to one and never falls', () => {
    for (const cohorts of [[], [{ ageDays: 14, repliesByDelay: quick }]]) {
      const { arrived } = fitDelayCurve(cohorts, EMAIL_DELAY);
      expect(arrived[0]).toBe(0);
      expect(arrived[14]).toBe(1);
      arrived.slice(1).forEach((value, i) => expect(value).toBeGreaterThanOrEqual(arrived[i] as number));
    }
  });
  it('follows the tenant where the tenant has replies', () => {
    const usual = fitDelayCurve([], EMAIL_DELAY);
    const own = fitDelayCurve([{ ageDays: 14, repliesByDelay: quick }], EMAIL_DELAY);
    expect(own.replies).toBe(200);
    expect(own.arrived[1]).toBeGreaterThan(0.95);
    expect(usual.arrived[1]).toBeLessThan(0.85);
  });
  it('young cohorts do not make late replies look rare: 60 a day, half on day one, half on day five', () => {
    const cohorts = Array.from({ length: 10 }, (_, i) => {
      const repliesByDelay = new Int32Array(21 * DELAY_BINS_PER_DAY);
      repliesByDelay[2] = 30;
      if (i + 1 > 5) repliesByDelay[5 * DELAY_BINS_PER_DAY] = 30;
      return { ageDays: i + 1, repliesByDelay };
    });
    // Counted as seen, two thirds would have come by day one.
    expect(fitDelayCurve(cohorts, LINKEDIN_DELAY).arrived[1]).toBeLessThan(0.57);
  });
  it('a matured cohort weighs one, a fresh one nothing', () => {
    const curve = fitDelayCurve([], EMAIL_DELAY);
    expect(maturity(curve, 0)).toBe(0);
    expect(maturity(curve, 14)).toBe(1);
    expect(maturity(curve, 400)).toBe(1);
    expect(() => maturity(curve, -1)).toThrow(expect.objectContaining({ code: 'range' }));
    expect(() => fitDelayCurve([{ ageDays: 3, repliesByDelay: [NaN] }], EMAIL_DELAY)).toThrow(
      expect.objectContaining({ code: 'count' }),
    );
  });
});
