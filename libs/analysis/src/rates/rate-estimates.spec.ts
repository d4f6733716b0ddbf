import { fitRates } from '@outcomes/statistics';
import { rounded } from '../documents/rounding';
import { pooledRates, type GroupCounts } from './rate-estimates';

const group = (messages: number, replies: number, settled = messages): GroupCounts => ({
  ...{ messages, replies, settled, answered: replies },
});

describe('rates of groups of one kind', () => {
  it('are pooled towards one another, and stand in the order of the groups', () => {
    const rates = pooledRates([group(0, 0), group(400, 40), group(0, 0), group(10, 0)]);
    const { arms } = fitRates([
      { n: 400, y: 40 },
      { n: 10, y: 0 },
    ]);
    const [many, few] = arms.map(({ mean, low, high }) => [mean, low, high].map(rounded));
    const told = rates.map(({ value, ci_low, ci_high }) => [value, ci_low, ci_high]);
    expect(told).toEqual([[null, null, null], many, [null, null, null], few]);
    expect(rates.map(({ n }) => n)).toEqual([0, 400, 0, 10]);
    // By luck nobody of the ten has answered.
    expect(rates[3]?.value).toBeGreaterThan(0.01);
    expect(rates[1]?.ci_low).toBeLessThan(rates[1]?.value ?? 0);
    expect(rates[1]?.ci_high).toBeGreaterThan(rates[1]?.value ?? 1);
  });

  it('rest on messages as far as their replies can have come, and no fewer than have answered', () => {
    const [young] = pooledRates([group(400, 40, 200)]);
    expect(young).toEqual({ ...pooledRates([group(200, 40)])[0], n: 400 });
    const [quick] = pooledRates([group(400, 40, 10)]);
    expect(quick).toEqual({ ...pooledRates([group(40, 40)])[0], n: 400 });
  });

  it('are none of messages of which none is old enough to count, and pool the others without them', () => {
    const young = { messages: 400, replies: 40, settled: 0, answered: 0 };
    expect(pooledRates([young, group(400, 40)])).toEqual([
      { value: null, ci_low: null, ci_high: null, n: 400 },
      ...pooledRates([group(400, 40)]),
    ]);
    const both = { messages: 800, replies: 80, settled: 400, answered: 40 };
    expect(pooledRates([both])).toEqual([{ ...pooledRates([group(400, 40)])[0], n: 800 }]);
  });

  it('are none where there are no messages', () => {
    expect(pooledRates([])).toEqual([]);
    expect(pooledRates([group(0, 0)])).toEqual([{ value: null, ci_low: null, ci_high: null, n: 0 }]);
  });
});
