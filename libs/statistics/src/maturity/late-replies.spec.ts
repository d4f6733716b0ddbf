import { drawBinomial, seededRng, type Rng } from '../random';
import { exp, log, normalCdf } from '../numerics';
import { fitLateReplies, type SettledDelays } from '.';

/** Share of the replies that take at most so many days. */
type Arrival = (days: number) => number;

const exponential =
  (mean: number): Arrival =>
  (days) =>
    1 - exp(-Math.max(0, days) / mean);
const logNormal =
  (median: number, sigma: number): Arrival =>
  (days) =>
    days <= 0 ? 0 : normalCdf(log(days / median) / sigma);

interface World {
  readonly arrival: Arrival;
  /** Days with messages, the last of which is today. */
  readonly days: number;
  readonly perDay?: number;
  readonly matureDays?: number;
}

/** What has come by the end of the last day of messages sent at noon: as many as are expected, or drawn. */
function world({ arrival, days, perDay = 100, matureDays = 14 }: World, rng?: Rng): SettledDelays {
  const replies: number[] = new Array<number>(30).fill(0);
  const messages: number[] = [];
  const arrived = Array.from({ length: days }, (_, day) => arrival(day));
  for (let age = matureDays; age < days; age += 1) {
    messages[age] = perDay;
    for (let delay = 0; delay <= age; delay += 1) {
      const until = delay < age ? (arrived[delay + 1] as number) : arrival(age + 0.5);
      const share = 0.08 * (until - (arrived[delay] as number));
      const place = Math.min(delay, 29);
      replies[place] = (replies[place] ?? 0) + (rng ? drawBinomial(rng, perDay, share) : perDay * share);
    }
  }
  return { matureDays, repliesByDelay: replies, messagesByAge: messages };
}

describe('late replies', () => {
  it.each([
    ['delays of 25 days on average', exponential(25), 180, 0.01],
    ['the same, 60 days in', exponential(25), 60, 0.04],
    ['delays of 15 days on average', exponential(15), 90, 0.01],
    ['a median of 18 days with a spread', logNormal(18, 0.8), 180, 0.02],
  ])('arrive as they were made to: %s', (_, arrival, days, tolerance) => {
    const found = fitLateReplies(world({ arrival, days }));
    expect(Math.abs((found?.share ?? 0) - (1 - arrival(14)))).toBeLessThan(tolerance);
    for (const age of [0, 3.5, 14, 20.5, 28])
      expect(Math.abs((found?.arrivedBy(age) ?? 0) - arrival(age))).toBeLessThan(tolerance);
    // Behind what is told apart, as an exponential tail.
    expect(Math.abs((found?.arrivedBy(45) ?? 0) - arrival(45))).toBeLessThan(0.04);
    expect(found?.arrivedBy(0)).toBe(0);
    expect(found?.arrivedBy(10_000)).toBeCloseTo(1, 9);
    expect(found?.arrivedBy(found.completeDays)).toBeGreaterThanOrEqual(0.95);
    expect(found?.arrivedBy(found.completeDays - 1)).toBeLessThan(0.95);
  });

  it('are more than have come so far', () => {
    const delays = world({ arrival: exponential(25), days: 40 });
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
    const counts = Array.from(delays.repliesByDelay);
    const soFar = sum(counts.slice(14)) / sum(counts);
    // Mutation: the share of those that have come, which is what messages of these ages can show.
    expect(soFar).toBeLessThan(0.35);
    expect(fitLateReplies(delays)?.share).toBeGreaterThan(0.45);
  });

  it('are told of by LinkedIn after its own time', () => {
    const found = fitLateReplies(world({ arrival: exponential(25), days: 120, matureDays: 21 }));
    expect(found?.share).toBeCloseTo(exp(-21 / 25), 1);
  });

  it.each([
    ['a median of one day', logNormal(1, 1)],
    ['a median of two days and a long tail', logNormal(2, 1.5)],
    ['five days on average', exponential(5)],
  ])('are none of an ordinary company: %s', (_, arrival) => {
    const rng = seededRng(7);
    for (const perDay of [5, 20, 400])
      for (const days of [30, 60, 90, 180, 365])
        expect(fitLateReplies(world({ arrival, days, perDay }, rng))).toBeNull();
  });

  it('are found in time where they are many', () => {
    const rng = seededRng(8);
    for (const perDay of [50, 400])
      expect(fitLateReplies(world({ arrival: exponential(25), days: 60, perDay }, rng))).not.toBeNull();
  });

  it('take twenty replies, a share beyond doubt, and days that show how they arrive', () => {
    const messages = new Array<number>(60).fill(100);
    const fitted = (late: number, inTime: number, messagesByAge = messages) =>
      fitLateReplies({
        matureDays: 14,
        repliesByDelay: Array.from({ length: 30 }, (_, d) => (d === 0 ? inTime : d === 20 ? late : 0)),
        messagesByAge,
      });
    expect(fitted(10, 9)).toBeNull();
    expect(fitted(10, 10)).not.toBeNull();
    // A fifth: of 20 or of 100 replies it may be less than 15 % by chance, of 1,000 not.
    expect([fitted(4, 16), fitted(20, 80)]).toEqual([null, null]);
    expect(fitted(200, 800)).not.toBeNull();
    expect(fitted(150, 850)).toBeNull();
    expect(fitted(100, 100, messages.slice(0, 17))).toBeNull();
    expect(fitted(100, 100, messages.slice(0, 18))).not.toBeNull();
    expect(fitted(0, 0, [])).toBeNull();
  });

  it('refuses counts and days that are none', () => {
    const fitted = (parts: Partial<SettledDelays>) =>
      fitLateReplies({ matureDays: 14, repliesByDelay: [1], messagesByAge: [1], ...parts });
    expect(() => fitted({ repliesByDelay: [-1] })).toThrow('counts must be finite');
    expect(() => fitted({ messagesByAge: [Infinity] })).toThrow('counts must be finite');
    for (const matureDays of [0, 29, 1.5])
      expect(() => fitted({ matureDays })).toThrow('maturity must be 1..28 whole days');
    const found = fitLateReplies(world({ arrival: exponential(25), days: 90 }));
    expect(() => found?.arrivedBy(-1)).toThrow('days must be >= 0');
  });
});
