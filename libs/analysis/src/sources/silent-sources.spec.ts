import { DAY_MS } from '@outcomes/contracts';
import { silentAmong, type SourceRhythm } from './silent-sources';

/** 2026-01-05, a Monday. */
const MONDAY = 20_458;
const rhythm = (firstDay: number, lastDay: number, perDay: (day: number) => number): SourceRhythm => ({
  ...{ source: 'src', tool: 'smartlead', lastDeliveryAt: lastDay * DAY_MS, lastDay, firstDay },
  days: new Map(
    Array.from(
      { length: lastDay - firstDay + 1 },
      (_, at) => [firstDay + at, perDay(firstDay + at)] as const,
    ),
  ),
});
const isSilent = (source: SourceRhythm, today: number) => silentAmong([source], today).length === 1;
const workdays = (deliveries: number) => (day: number) => ((day - MONDAY) % 7 < 5 ? deliveries : 0);

describe('a source', () => {
  it('is silent when a day has passed on which it would have delivered twenty', () => {
    const source = rhythm(MONDAY, MONDAY + 30, () => 20);
    expect([MONDAY + 30, MONDAY + 31, MONDAY + 32].map((today) => isSilent(source, today))).toEqual([
      ...[false, false, true],
    ]);
    const fewer = rhythm(MONDAY, MONDAY + 30, () => 19);
    expect([MONDAY + 32, MONDAY + 33].map((today) => isSilent(fewer, today))).toEqual([false, true]);
  });

  it('is not silent over a weekend', () => {
    const friday = MONDAY + 32;
    const source = rhythm(MONDAY, friday, workdays(500));
    // Saturday to Monday, and then the Monday is over.
    expect([1, 2, 3, 4].map((days) => isSilent(source, friday + days))).toEqual([false, false, false, true]);
  });

  it('is not silent because one campaign was large, nor because it delivers little', () => {
    const once = rhythm(MONDAY, MONDAY + 30, (day) => (day === MONDAY + 25 ? 10_000 : 0));
    expect(isSilent(once, MONDAY + 400)).toBe(false);
    const seldom = rhythm(MONDAY, MONDAY + 30, workdays(1));
    expect([50, 60].map((days) => isSilent(seldom, MONDAY + days))).toEqual([false, true]);
  });

  it('is not judged in its first two weeks', () => {
    expect(
      isSilent(
        rhythm(MONDAY, MONDAY + 13, () => 500),
        MONDAY + 40,
      ),
    ).toBe(false);
    expect(
      isSilent(
        rhythm(MONDAY, MONDAY + 14, () => 500),
        MONDAY + 40,
      ),
    ).toBe(true);
  });
});
