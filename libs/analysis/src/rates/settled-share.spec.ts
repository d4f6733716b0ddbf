import { CHANNELS, DAY_MS } from '@outcomes/contracts';
import { EMAIL_DELAY, fitWatchedDelays, maturity, type DelayCurve } from '@outcomes/statistics';
import type { CohortRow } from '../cohorts/cohort-table';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { countsByPosition } from './level-counts';
import { pooledRates } from './rate-estimates';
import { arrivedShareOf, settledShareOf } from './settled-share';

const EMAIL = CHANNELS.indexOf('email');
const HOUR_MS = DAY_MS / 24;
const USUAL = { ...EMAIL_DELAY, matureDays: 14 };
/** Middles of the hours of a day. */
const HOURS = Array.from({ length: 24 }, (_, hour) => hour + 0.5);
const throughoutDay = (curve: DelayCurve, age: number) =>
  HOURS.reduce((sum, hour) => sum + maturity(curve, age + 1 - hour / 24) / 24, 0);

describe('the maturity of imported history', () => {
  const day = (index: number) => FIRST_DAY + index;
  const sentThrough = (lastOutcomeAt: Date | null) =>
    tableOf(
      Array.from({ length: 5 }, (_, index): CohortRow => ({
        ...BLANK,
        day: day(index),
        touches: 10,
        lastOutcomeAt,
      })),
    );

  it('is whole where its outcomes were observed to their end', () => {
    const observed = sentThrough(new Date(day(4 + 14) * DAY_MS));
    expect([0, 4].map((row) => observed.isMature(row))).toEqual([true, true]);
  });

  it('is not assumed of an export that ends with its newest message', () => {
    const cutOff = sentThrough(null);
    expect([0, 4].map((row) => [cutOff.ageOf(row), cutOff.isMature(row)])).toEqual([
      [4, false],
      [0, false],
    ]);
  });
});

describe('the share of replies that have come', () => {
  it('is whole from maturity on and grows until then', () => {
    const share = arrivedShareOf(tableOf(plannedRows({ days: 30, sendsPerDay: 40 })));
    const email = Array.from({ length: 16 }, (_, age) => share(EMAIL, age));
    expect(email[14]).toBe(1);
    expect(email[15]).toBe(1);
    for (let age = 1; age < 15; age += 1) expect(email[age]).toBeGreaterThanOrEqual(email[age - 1] ?? 1);
    expect(email[0]).toBeGreaterThan(0);
    expect(email[0]).toBeLessThan(0.8);
  });

  it('learns that a company is answered slowly', () => {
    const answered = (replyDelays: readonly number[]) =>
      arrivedShareOf(
        tableOf(
          plannedRows({ days: 40, sendsPerDay: 40 }).map((row): CohortRow => ({ ...row, replyDelays })),
        ),
      );
    const quick = answered([9, 1]);
    const slow = answered([0, 1, 1, 1, 2, 2, 1, 1, 1]);
    expect(quick(EMAIL, 2)).toBeGreaterThan(0.95);
    expect(slow(EMAIL, 2)).toBeLessThan(0.4);
  });

  it('learns from the first days too, each channel from its own', () => {
    // Of ten days, none of them mature: all replies have come at once, or none before the sixth day.
    const LINKEDIN = CHANNELS.indexOf('linkedin');
    const young = (email: readonly number[], linkedin: readonly number[]) =>
      arrivedShareOf(
        tableOf(
          Array.from({ length: 20 }, (_, at): CohortRow => {
            const [day, channel] = [at >> 1, at % 2];
            const delays = (channel === EMAIL ? email : linkedin).slice(0, 10 - day);
            const replies = delays.reduce((sum, one) => sum + one, 0);
            const sums = { touches: 300, replies, replyDelays: delays };
            return { ...BLANK, day: FIRST_DAY + day, channel, ...sums };
          }),
        ),
      );
    const [atOnce, late] = [[50], [0, 0, 0, 0, 0, 0, 25, 25]];
    const [quick, slow, mixed] = [young(atOnce, atOnce), young(late, late), young(late, atOnce)];
    for (const channel of [EMAIL, LINKEDIN])
      expect(quick(channel, 2)).toBeGreaterThan(slow(channel, 2) + 0.3);
    expect(mixed(EMAIL, 2)).toBe(slow(EMAIL, 2));
    expect(mixed(LINKEDIN, 2)).toBe(quick(LINKEDIN, 2));
    // Each channel has the time that it takes to be mature.
    expect([quick(EMAIL, 14), quick(LINKEDIN, 21)]).toEqual([1, 1]);
    expect(slow(LINKEDIN, 14)).toBeLessThan(1);
    expect(slow(CHANNELS.length, 0)).toBe(1);
  });

  it('leans on all replies that have come, by the time that each cohort was observed', () => {
    const at = (
      day: number,
      replyDelays: readonly number[],
      lastOutcomeAt: Date | null = null,
    ): CohortRow => {
      const replies = replyDelays.reduce((sum, one) => sum + one, 0);
      return { ...BLANK, day: FIRST_DAY + day, touches: 300, replies, replyDelays, lastOutcomeAt };
    };
    // Of two days that are mature, and of three that are not: on the 30th day, 2, 1 and 0 days old.
    const rows = [at(0, [4, 0, 0, 0, 6]), at(1, [2, 2]), at(28, [3, 5, 1]), at(29, [2, 6]), at(30, [4])];
    const cohort = (age: number, ...repliesByDay: number[]) => ({
      repliesByDay,
      watches: HOURS.map((hour) => ({ share: 1 / 24, days: age + 1 - hour / 24 })),
    });
    const mature = { repliesByDay: [6, 2, 0, 0, 6], watches: [{ share: 1, days: 14 }] };
    const curve = fitWatchedDelays([mature, cohort(2, 3, 5, 1), cohort(1, 2, 6), cohort(0, 4)], USUAL);
    const share = arrivedShareOf(tableOf(rows));
    for (let age = 0; age < 14; age += 1) expect(share(EMAIL, age)).toBeCloseTo(throughoutDay(curve, age), 9);
  });

  it('takes messages as sent throughout their day where no hour is known', () => {
    // Nothing is known: the usual curve, half a day on.
    const share = arrivedShareOf(tableOf([{ ...BLANK, day: FIRST_DAY, touches: 1 }]));
    const curve = fitWatchedDelays([], USUAL);
    for (const age of [0, 1, 5, 13]) expect(share(EMAIL, age)).toBeCloseTo(throughoutDay(curve, age), 9);
  });

  describe('of messages whose hour is known', () => {
    /** 300 messages a day, all of one hour, on three days; the newest outcome came at some hour of the last day. */
    const shareAt = (
      sentHour: number,
      seenHour: number,
      senderClock?: (at: number) => number,
      replies = 0,
    ) => {
      const hourTouches = Array.from({ length: 24 }, (_, hour) => (hour === sentHour ? 300 : 0));
      const lastOutcomeAt = new Date((FIRST_DAY + 2) * DAY_MS + seenHour * HOUR_MS + 1);
      const rows = [0, 1, 2].map((day): CohortRow => ({
        ...BLANK,
        ...{ day: FIRST_DAY + day, touches: 300, replies, hourTouches, lastOutcomeAt },
      }));
      return arrivedShareOf(tableOf(rows, senderClock));
    };
    const usual = (hours: number) => maturity(fitWatchedDelays([], USUAL), hours / 24);

    it('counts the time from there to the newest outcome', () => {
      const share = shareAt(9, 9.5);
      expect([0, 1, 2].map((age) => share(EMAIL, age))).toEqual(
        [0, 24, 48].map((hours) => expect.closeTo(usual(hours), 6)),
      );
    });

    it('goes by the clocks of the senders', () => {
      // Eight in the evening in UTC is noon of the same day in Los Angeles, in January.
      const share = shareAt(9, 20, (at) => at - 8 * HOUR_MS, 1_000);
      expect(share(EMAIL, 1)).toBeCloseTo(shareAt(9, 12, undefined, 1_000)(EMAIL, 1), 3);
      expect(share(EMAIL, 1)).toBeLessThan(shareAt(9, 20, undefined, 1_000)(EMAIL, 1) - 0.01);
    });

    it('takes the watch to go on from the newest reply to when the next is due', () => {
      const [many, few] = [100_000, 10].map((replies) => shareAt(9, 20, undefined, replies)(EMAIL, 1));
      expect(many).toBeCloseTo(usual(24 + 10.5), 2);
      expect(few).toBeGreaterThan((many ?? 1) + 0.005);
    });
  });

  describe('of messages that are minutes old', () => {
    // Two hours after 10,000 were sent at 9 %, and at the beginning of the hour in which 400 were, many of whom answered at once.
    const rows = (old: number): CohortRow[] => [
      ...Array.from({ length: old }, (_, index): CohortRow => ({
        ...{ ...BLANK, day: FIRST_DAY + index, touches: 1_000, replies: 90 },
        replyDelays: [60, 20, 10],
      })),
      {
        ...{ ...BLANK, day: FIRST_DAY + 30, touches: 400, replies: 40, replyDelays: [40] },
        hourTouches: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 400 : 0)),
        lastOutcomeAt: new Date((FIRST_DAY + 30) * DAY_MS + 9.6 * HOUR_MS),
      },
    ];
    const ratesOf = (old: number) => {
      const table = tableOf(rows(old));
      return pooledRates(countsByPosition(table, settledShareOf(table)))[0];
    };

    it('counts neither them nor their replies', () => {
      const table = tableOf(rows(10));
      expect(arrivedShareOf(table)(EMAIL, 0)).toBeLessThan(0.1);
      expect(settledShareOf(table)(EMAIL, 0)).toBe(0);
      const [counts] = countsByPosition(table, settledShareOf(table));
      expect(counts).toEqual({ messages: 10_400, replies: 940, settled: 10_000, answered: 900 });
      expect(ratesOf(10)?.value).toBeCloseTo(0.09, 3);
    });

    it('tells no rate where there are no others', () => {
      expect(ratesOf(0)).toEqual({ value: null, ci_low: null, ci_high: null, n: 400 });
    });

    it('counts a cohort from when half of its replies may be expected to have come', () => {
      const table = tableOf([
        { ...BLANK, day: FIRST_DAY, touches: 1 },
        { ...BLANK, day: FIRST_DAY + 14 },
      ]);
      const [arrived, settled] = [arrivedShareOf(table), settledShareOf(table)];
      for (const channel of CHANNELS.keys())
        for (let age = 0; age < 25; age += 1)
          expect(settled(channel, age)).toBe(arrived(channel, age) < 0.5 ? 0 : arrived(channel, age));
      expect(settled(CHANNELS.indexOf('linkedin'), 1)).toBe(0);
      expect(settled(EMAIL, 1)).toBeGreaterThan(0.5);
    });
  });

  it('makes young cohorts count as much as they can tell', () => {
    // 1000 messages a day at 10 %, answered after one, two or three whole days in equal parts.
    const rows = Array.from({ length: 40 }, (_, index): CohortRow => {
      const age = 39 - index;
      const waves = [1, 2, 3].map((delay): number => (age >= delay ? 33 : 0));
      const replies = waves.reduce((sum, wave) => sum + wave, 0);
      return { ...BLANK, day: FIRST_DAY + index, touches: 1_000, replies, replyDelays: [0, ...waves] };
    });
    const table = tableOf(rows);
    const [counts] = countsByPosition(table, settledShareOf(table));
    const rate = (counts?.answered ?? 0) / (counts?.settled ?? 1);
    const naive = (counts?.replies ?? 0) / (counts?.messages ?? 1);
    expect(naive).toBeLessThan(0.099 * 0.96);
    expect(Math.abs(rate / 0.099 - 1)).toBeLessThan(0.02);
  });
});

const BLANK: CohortRow = {
  day: 0,
  channel: EMAIL,
  step: 0,
  position: 0,
  touches: 0,
  replies: 0,
  bounces: 0,
  unsubscribes: 0,
  opens: 0,
  meetings: 0,
  streamed: 0,
  lastOutcomeAt: null,
  levelTouches: [],
  levelReplies: [],
  hourTouches: [],
  levelRandomized: [],
  hourReplies: [],
  replyDelays: [],
};
