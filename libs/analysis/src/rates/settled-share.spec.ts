import { CHANNELS, DAY_MS } from '@outcomes/contracts';
import type { CohortRow } from '../cohorts/cohort-table';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { countsByPosition } from './level-counts';
import { settledShareOf } from './settled-share';

const EMAIL = CHANNELS.indexOf('email');

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
    const share = settledShareOf(tableOf(plannedRows({ days: 30, sendsPerDay: 40 })));
    const email = Array.from({ length: 16 }, (_, age) => share(EMAIL, age));
    expect(email[14]).toBe(1);
    expect(email[15]).toBe(1);
    for (let age = 1; age < 15; age += 1) expect(email[age]).toBeGreaterThanOrEqual(email[age - 1] ?? 1);
    expect(email[0]).toBeGreaterThan(0);
    expect(email[0]).toBeLessThan(0.8);
  });

  it('learns that a company is answered slowly', () => {
    const answered = (replyDelays: readonly number[]) =>
      settledShareOf(
        tableOf(
          plannedRows({ days: 40, sendsPerDay: 40 }).map((row): CohortRow => ({ ...row, replyDelays })),
        ),
      );
    const quick = answered([9, 1]);
    const slow = answered([0, 1, 1, 1, 2, 2, 1, 1, 1]);
    expect(quick(EMAIL, 2)).toBeGreaterThan(0.95);
    expect(slow(EMAIL, 2)).toBeLessThan(0.4);
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
    const rate = (counts?.replies ?? 0) / (counts?.settled ?? 1);
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
