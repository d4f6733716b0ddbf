import { normalCdf } from '../numerics';
import {
  type DefaultDelay,
  DELAY_BINS_PER_DAY,
  EMAIL_DELAY,
  fitDelayCurve,
  fitWatchedDelays,
  LINKEDIN_DELAY,
  maturity,
} from '.';

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
  it.each<[string, DefaultDelay]>([
    ['e-mail', EMAIL_DELAY],
    ['LinkedIn', LINKEDIN_DELAY],
    ['a wider one', { ...EMAIL_DELAY, sigma: 1.6 }],
    ['a later one', { ...EMAIL_DELAY, medianDays: 1.1 }],
    ['a longer one', { ...EMAIL_DELAY, matureDays: 20 }],
  ])('is the log-normal default without replies, up to its maturity: %s', (_name, defaults) => {
    const { medianDays, sigma, matureDays } = defaults;
    const share = (days: number): number => normalCdf(Math.log(days / medianDays) / sigma);
    const { arrived, replies } = fitDelayCurve([], defaults);
    expect(arrived).toHaveLength(matureDays + 1);
    expect(replies).toBe(0);
    for (let day = 1; day <= matureDays; day++)
      expect(arrived[day]).toBeCloseTo(share(day) / share(matureDays), 12);
  });
  it('counts what has been seen, and nothing beyond the age', () => {
    const seen = fitDelayCurve([{ ageDays: 2, repliesByDelay: [3, 0, 2, 0, 0, 0, 0, 1] }], EMAIL_DELAY);
    const more = { ageDays: 2, repliesByDelay: [3, 0, 2, 0, 0, 0, 0, 1, 9, 9, 9] };
    expect(seen.replies).toBe(6);
    expect(fitDelayCurve([more], EMAIL_DELAY)).toEqual(seen);
    expect(fitDelayCurve([{ ageDays: 30, repliesByDelay: [6] }], EMAIL_DELAY).replies).toBe(6);
    expect(fitDelayCurve([{ ageDays: 0, repliesByDelay: [6] }], EMAIL_DELAY).replies).toBe(0);
  });
  it('adapts its time scale to a few replies: all within a day make it quicker, all after two slower', () => {
    const own = (repliesByDelay: number[]) =>
      fitDelayCurve([{ ageDays: 14, repliesByDelay }], EMAIL_DELAY).arrived;
    const usual = fitDelayCurve([], EMAIL_DELAY).arrived;
    const late = [...Array<number>(12).fill(0), ...Array<number>(12).fill(2)];
    for (const day of [1, 2, 3]) {
      expect(own([9, 9, 2, 2])[day]).toBeGreaterThan(usual[day] as number);
      expect(own(late)[day]).toBeLessThan(usual[day] as number);
    }
  });
  const fine = { ageDays: 3, repliesByDelay: [1] };
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['a maturity', 'range', (matureDays) => fitDelayCurve([], { ...EMAIL_DELAY, matureDays }), [0, 91, 2.5]],
    ['a median', 'range', (medianDays) => fitDelayCurve([], { ...EMAIL_DELAY, medianDays }), [0, -1, NaN]],
    ['a spread', 'range', (sigma) => fitDelayCurve([], { ...EMAIL_DELAY, sigma }), [0, -1, NaN]],
    ['an age', 'range', (ageDays) => fitDelayCurve([{ ...fine, ageDays }], EMAIL_DELAY), [-1, 0.1, NaN]],
    [
      'replies',
      'count',
      (y) => fitDelayCurve([{ ...fine, repliesByDelay: [y] }], EMAIL_DELAY),
      [-1, NaN, Infinity],
    ],
    [
      'an age asked for',
      'range',
      (age) => maturity({ ...EMAIL_DELAY, arrived: [0], byQuarter: [0], replies: 0 }, age),
      [-1, NaN],
    ],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
  it('a matured cohort weighs one, a fresh one nothing', () => {
    const curve = fitDelayCurve([], EMAIL_DELAY);
    expect(maturity(curve, 0)).toBe(0);
    expect(maturity(curve, 14)).toBe(1);
    expect(maturity(curve, 3)).toBe(curve.arrived[3]);
    const [before, after] = [maturity(curve, 3.5), maturity(curve, 3.75)];
    expect(before).toBeGreaterThan(curve.arrived[3] as number);
    expect(after).toBeLessThan(curve.arrived[4] as number);
    expect(maturity(curve, 3.7)).toBeCloseTo(before + 0.8 * (after - before), 12);
    expect(maturity(curve, 400)).toBe(1);
    expect(() => maturity(curve, -1)).toThrow(expect.objectContaining({ code: 'range' }));
    expect(() => fitDelayCurve([{ ageDays: 3, repliesByDelay: [NaN] }], EMAIL_DELAY)).toThrow(
      expect.objectContaining({ code: 'count' }),
    );
  });
});

describe('fitWatchedDelays', () => {
  const watchedFor = (...days: number[]) => days.map((own) => ({ share: 1 / days.length, days: own }));

  it('is the usual curve without replies, and that of fitDelayCurve where days tell as much', () => {
    expect(fitWatchedDelays([], EMAIL_DELAY)).toEqual(fitDelayCurve([], EMAIL_DELAY));
    const repliesByDay = Array.from({ length: 14 }, (_, day) => (day < 2 ? 20_000 : 0));
    const curve = fitWatchedDelays([{ repliesByDay, watches: watchedFor(14) }], EMAIL_DELAY);
    expect(curve.arrived[1]).toBeCloseTo(0.5, 2);
    expect(curve.arrived[2]).toBeCloseTo(1, 3);
    expect(curve.arrived[14]).toBe(1);
  });
  it('takes delays that were not watched for as unseen, not as absent', () => {
    // Half of the messages were watched for one day alone: two replies on the first day for each on the second.
    const cohort = { repliesByDay: [20_000, 10_000], watches: watchedFor(1, 2) };
    const curve = fitWatchedDelays([cohort], EMAIL_DELAY);
    expect((curve.arrived[1] as number) / (curve.arrived[2] as number)).toBeCloseTo(0.5, 2);
  });
  it('refuses watches and replies that there cannot be', () => {
    const fine = { repliesByDay: [1], watches: watchedFor(1) };
    for (const watches of [[{ share: 0, days: 1 }], [{ share: 1, days: -1 }], [{ share: NaN, days: 1 }]])
      expect(() => fitWatchedDelays([{ ...fine, watches }], EMAIL_DELAY)).toThrow(
        expect.objectContaining({ code: 'range' }),
      );
    for (const bad of [-1, NaN, Infinity])
      expect(() => fitWatchedDelays([{ ...fine, repliesByDay: [bad] }], EMAIL_DELAY)).toThrow(
        expect.objectContaining({ code: 'count' }),
      );
  });
});
