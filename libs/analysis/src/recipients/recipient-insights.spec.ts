import { POSITIONS, type Position, type RateEstimate } from '@outcomes/contracts';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import { positionInsights } from './recipient-insights';

const NO_RATE: RateEstimate = { value: null, ci_low: null, ci_high: null, n: 0 };
const countsOf = (known: Partial<Record<Position, [messages: number, replies: number]>>): GroupCounts[] =>
  POSITIONS.map((position) => {
    const [messages, replies] = known[position] ?? [0, 0];
    return { messages, settled: messages, replies, answered: replies };
  });
const ratesOf = (known: Partial<Record<Position, Partial<RateEstimate>>>): RateEstimate[] =>
  POSITIONS.map((position) => ({ ...NO_RATE, ...known[position] }));
const titles = (counts: readonly GroupCounts[], rates: readonly RateEstimate[]) =>
  positionInsights({ counts, rates, changed: null }).map(({ title }) => title);

describe('what is said of positions', () => {
  /** Positions that differ beyond any doubt. */
  const differing = countsOf({ vp: [2_000, 240], manager: [8_000, 160] });
  const overall =
    pooledRates([{ messages: 10_000, settled: 10_000, replies: 400, answered: 400 }])[0]?.value ?? Number.NaN;

  it('is of those whose interval leaves out the rate of all messages, and not of one that reaches it', () => {
    const vp = (low: number, high: number) =>
      titles(differing, ratesOf({ vp: { value: 0.1, ci_low: low, ci_high: high, n: 2_000 } }));
    const [more, fewer] = ['more', 'fewer'].map((what) => `Position VP: ${what} replies than average`);
    expect(overall).toBeCloseTo(0.04, 3);
    expect(vp(overall + 1e-6, 0.2)).toEqual([more]);
    expect(vp(overall, 0.2)).toEqual([]);
    expect(vp(0.01, overall)).toEqual([]);
    expect(vp(0.01, overall - 1e-6)).toEqual([fewer]);
  });

  it('is nothing of a position without a rate, or without an interval', () => {
    const own = { value: 0.1, ci_low: 0.09, ci_high: 0.11, n: 2_000 };
    expect(titles(differing, ratesOf({ vp: own }))).toHaveLength(1);
    for (const part of ['value', 'ci_low', 'ci_high'] as const)
      expect(titles(differing, ratesOf({ vp: { ...own, [part]: null } }))).toEqual([]);
    const below = { value: 0.01, ci_low: null, ci_high: overall / 2, n: 2_000 };
    expect(titles(differing, ratesOf({ vp: below }))).toEqual([]);
    expect(titles(differing, [])).toEqual([]);
  });

  it('rests on positions of which a variance of one reply or more is expected', () => {
    const rates = ratesOf({ vp: { value: 0.9, ci_low: 0.5, ci_high: 1, n: 6 } });
    // At a fifth of all: of six messages 0.96, of seven 1.12.
    expect(titles(countsOf({ vp: [6, 6], manager: [994, 194] }), rates)).toEqual([]);
    expect(titles(countsOf({ vp: [7, 7], manager: [993, 193] }), rates)).toHaveLength(1);
    // With one position there is nothing that it could differ from.
    expect(titles(countsOf({ vp: [1_000, 200] }), rates)).toEqual([]);
  });

  it('needs a difference that chance brings about less than once in two hundred', () => {
    const rates = ratesOf({ vp: { value: 0.12, ci_low: 0.11, ci_high: 0.13, n: 1_000 } });
    const differingBy = (replies: number) =>
      titles(countsOf({ vp: [1_000, 100 + replies], manager: [1_000, 100 - replies] }), rates);
    // Chi-square with one degree of freedom: 8.02 and 7.20, of which 7.88 is the bound.
    expect(differingBy(19)).toHaveLength(1);
    for (const replies of [18, 1, 0]) expect(differingBy(replies)).toEqual([]);
  });

  it('takes replies for as many messages as they answer, however young these are', () => {
    const rates = ratesOf({ vp: { value: 0.9, ci_low: 0.5, ci_high: 1, n: 90 } });
    const counts = (settled: number) =>
      countsOf({ vp: [90, 30], manager: [1_000, 100] }).map((own) =>
        own.messages === 90 ? { ...own, settled } : own,
      );
    // Of 90 messages so many have had the time to be answered.
    expect(titles(counts(300), rates)).toEqual([]);
    expect(titles(counts(90), rates)).toHaveLength(1);
    expect(titles(counts(10), rates)).toEqual(titles(counts(30), rates));
    expect(titles(counts(10), rates)).toHaveLength(1);
  });

  it('is nothing where nobody was written to', () => {
    expect(titles(countsOf({}), ratesOf({}))).toEqual([]);
  });
});
