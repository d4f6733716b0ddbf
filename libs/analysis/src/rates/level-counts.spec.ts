import { LEVEL_COUNT, POSITIONS } from '@outcomes/contracts';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { countsByLevel, countsByPosition } from './level-counts';

const rows = plannedRows({ days: 30, sendsPerDay: 40 }).map((row, i) => ({ ...row, channel: i % 2 }));

describe('messages and replies by level', () => {
  it('are those of all messages, the young ones as far as their replies can have come', () => {
    const share = (channel: number, age: number) => (channel === 0 ? 0.25 : age < 10 ? 0 : 0.75);
    const table = tableOf(rows);
    const shareOf = ({ channel, day }: (typeof rows)[number]) => {
      const age = table.observedUntil - day;
      return age >= (channel === 0 ? 14 : 21) ? 1 : share(channel, age);
    };
    const found = countsByLevel(table, share);
    expect(found).toHaveLength(LEVEL_COUNT);
    found.forEach((counts, level) => {
      const sum = (value: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + value(row), 0);
      expect(counts).toEqual({
        messages: sum(({ levelTouches }) => levelTouches[level] ?? 0),
        replies: sum(({ levelReplies }) => levelReplies[level] ?? 0),
        // To messages that are too young to count replies count no more.
        answered: sum((row) => (shareOf(row) > 0 ? (row.levelReplies[level] ?? 0) : 0)),
        settled: expect.closeTo(
          sum((row) => (row.levelTouches[level] ?? 0) * shareOf(row)),
          9,
        ),
      });
    });
    expect(Math.max(...found.map(({ messages, settled }) => messages - settled))).toBeGreaterThan(1);
  });
});

describe('messages and replies by position', () => {
  it('are those since each channel last changed, as far as their replies can have come', () => {
    const from = (channel: number) => FIRST_DAY + (channel === 0 ? 20 : 5);
    const share = (channel: number, age: number) => (channel === 0 ? 0.25 : age < 10 ? 0 : 1);
    const table = tableOf(rows);
    const found = countsByPosition(table, share, from);
    POSITIONS.forEach((_, position) => {
      const own = rows.filter((row) => row.position === position && row.day >= from(row.channel));
      const sum = (value: (row: (typeof rows)[number]) => number) =>
        own.reduce((total, row) => total + value(row), 0);
      expect(found[position]).toEqual({
        messages: sum(({ touches }) => touches),
        replies: sum(({ replies }) => replies),
        answered: sum(({ replies, channel, day }) =>
          share(channel, table.observedUntil - day) > 0 ? replies : 0,
        ),
        settled: sum(({ touches, channel, day }) => touches * share(channel, table.observedUntil - day)),
      });
    });
    const all = countsByPosition(table, () => 1).reduce((sum, { messages }) => sum + messages, 0);
    expect(all).toBe(table.totals.touches);
  });
});
