import { DAY_MS } from '@outcomes/contracts';
import { gapOf } from './gap';
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

  it.each([
    // Of four weeks the lesser of the two in the middle, in whatever order they came; what was before does not count.
    [[0, 0, 0, 40, 10, 30, 20], true],
    [[0, 0, 0, 40, 10, 30, 19], false],
    [[90, 90, 90, 10, 90, 19, 90], false],
    // Of three the middle, of two the lesser.
    [[10, 30, 20], true],
    [[90, 0, 19], false],
    [[40, 20], true],
    [[19, 90], false],
  ])('that delivered on Mondays, week by week %j, is silent after another: %s', (weeks, silent) => {
    const last = MONDAY + 7 * weeks.length;
    const source = rhythm(MONDAY, last, (day) =>
      (day - MONDAY) % 7 === 0 ? (weeks[(day - MONDAY) / 7 - 1] ?? 0) : 0,
    );
    expect([isSilent(source, last + 7), isSilent(source, last + 8)]).toEqual([false, silent]);
  });
});

describe('what silent sources leave unknown', () => {
  it('begins with the last delivery of the first of them, and the 14 days before it', () => {
    const ended = (name: string, lastDay: number) => ({
      ...rhythm(MONDAY, lastDay, () => 20),
      source: name,
    });
    const [first, second, live] = [ended('a', MONDAY + 30), ended('b', MONDAY + 40), ended('c', MONDAY + 60)];
    expect(gapOf([live], MONDAY + 61)).toBeUndefined();
    expect(gapOf([second, live, first], MONDAY + 61)).toEqual({
      observedUntil: MONDAY + 30,
      sentUntil: MONDAY + 16,
      silent: [
        { source: 'a', tool: 'smartlead', last_delivery_at: '2026-02-04T00:00:00.000Z' },
        { source: 'b', tool: 'smartlead', last_delivery_at: '2026-02-14T00:00:00.000Z' },
      ],
    });
  });
});
