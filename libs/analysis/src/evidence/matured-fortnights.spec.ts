import { CHANNELS, MATURITY_DAYS } from '@outcomes/contracts';
import fc from 'fast-check';
import {
  covers,
  firstDayOf,
  maturesOn,
  maturingDays,
  newestMatured,
  spanOf,
  unmaturedFrom,
} from './matured-fortnights';

describe('a fortnight', () => {
  it('matures with its last day, channel by channel', () => {
    expect(firstDayOf(3)).toBe(42);
    expect(maturingDays(3)).toEqual([55 + MATURITY_DAYS.email, 55 + MATURITY_DAYS.linkedin]);
  });

  it('has matured on a day if its first day is before that from which nothing has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 3_000 }), fc.nat(250), (day, fortnight) => {
        const from = unmaturedFrom(day);
        CHANNELS.forEach((_, channel) => {
          expect(firstDayOf(fortnight) < (from[channel] ?? 0)).toBe(maturesOn(fortnight, channel) <= day);
        });
        expect(fortnight <= newestMatured(day)).toBe(maturingDays(fortnight).some((one) => one <= day));
      }),
    );
  });
});

describe('how long the same fortnights have matured', () => {
  it('is from the newest that has to the next that will', () => {
    expect(spanOf([30, 10, 20, 50, 40], 30)).toEqual({ maturedOn: 30, maturesNext: 40 });
    expect(spanOf([30, 10], 30)).toEqual({ maturedOn: 30, maturesNext: null });
    expect(spanOf([50, 40], 30)).toEqual({ maturedOn: null, maturesNext: 40 });
    expect(spanOf([], 30)).toEqual({ maturedOn: null, maturesNext: null });
  });

  it('covers the days on which it would be found again, and no others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { maxLength: 6 }), fc.nat(60), fc.nat(60), (days, made, asked) => {
        const [then, now] = [spanOf(days, made), spanOf(days, asked)];
        const isSame = then.maturedOn === now.maturedOn && then.maturesNext === now.maturesNext;
        expect(covers(then, asked)).toBe(isSame);
      }),
    );
  });
});
