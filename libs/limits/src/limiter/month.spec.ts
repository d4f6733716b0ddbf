import { dayOfMonth, monthOf, startMsOf, startOfMonth } from './month';

describe('a month', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01', '2026-02-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01T00:00:00.000Z'],
  ])('of %s begins on %s and ends at %s', (at, first, end) => {
    const month = monthOf(new Date(at));
    expect(dayOfMonth(month)).toBe(first);
    expect(startOfMonth(month + 1).toISOString()).toBe(end);
    expect(startMsOf(month + 1)).toBe(Date.parse(end));
    expect(startMsOf(month)).toBe(Date.parse(`${first}T00:00:00Z`));
  });
});
