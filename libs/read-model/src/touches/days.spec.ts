import { addDays, dayOf, daysBetween, startOf } from './day';
import { retentionCutoff } from './retention-cutoff';

describe('days', () => {
  it('are those of UTC, over the ends of months and years', () => {
    expect(dayOf(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31');
    expect([addDays('2024-02-28', 1), addDays('2026-03-01', -1), addDays('2025-12-31', 1)]).toEqual([
      '2024-02-29',
      '2026-02-28',
      '2026-01-01',
    ]);
    expect(startOf('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
    expect([daysBetween('2026-02-27', '2026-03-02'), daysBetween('2026-03-02', '2026-02-27')]).toEqual([
      3, -3,
    ]);
  });
});

describe('the end of retention', () => {
  // 24 calendar months, to the millisecond; the 29th of February ends with the 28th.
  it.each([
    ['2026-02-01T06:00:00.123Z', '2024-02-01T06:00:00.123Z'],
    ['2026-03-31T23:59:59.000Z', '2024-03-31T23:59:59.000Z'],
    ['2024-02-29T12:00:00.000Z', '2022-02-28T12:00:00.000Z'],
    ['2026-02-28T12:00:00.000Z', '2024-02-28T12:00:00.000Z'],
  ])('is, at %s, %s', (now, cutoff) => {
    expect(retentionCutoff(new Date(now)).toISOString()).toBe(cutoff);
  });
});
