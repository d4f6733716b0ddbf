import { retentionCutoff } from './retention-cutoff';

describe('the time before which everything has expired', () => {
  it.each([
    ['2026-06-15T12:00:00.000Z', '2024-06-15T12:00:00.000Z'],
    // A second look on the same day.
    ['2026-06-15T23:59:59.999Z', '2024-06-15T23:59:59.999Z'],
    ['2026-06-16T00:00:00.000Z', '2024-06-16T00:00:00.000Z'],
    ['2028-02-29T08:00:00.000Z', '2026-02-28T08:00:00.000Z'],
    ['2028-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    // Summer time begins nowhere in UTC.
    ['2026-03-29T02:30:00.000Z', '2024-03-29T02:30:00.000Z'],
  ])('is of %s 24 calendar months earlier: %s', (now, cutoff) => {
    expect(retentionCutoff(new Date(now)).toISOString()).toBe(cutoff);
  });
});
