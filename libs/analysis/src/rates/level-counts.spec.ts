import { LEVEL_COUNT, POSITIONS } from '@outcomes/contracts';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { countsByLevel, countsByPosition } from './level-counts';

const rows = plannedRows({ days: 30, sendsPerDay: 40 }).map((row, i) => ({ ...row, channel: i % 2 }));

describe('messages and replies by level', () => {
  it('are those of all messages, the young ones as far as their replies can have come', () => {
    // Of mature messages, too, where replies come late: then all of a channel's count alike.
    const share = (channel: number, age: number) => (channel === 0 ? 0.25 : age < 10 ? 0 : 0.75);
    const table = tableOf(rows);
    const shareOf = ({ channel, day }: (typeof rows)[number]) => share(channel, table.observedUntil - day);
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

describe('messages by level, where replies come late', () => {
  it('weigh as much as the mature ones of their channel do on average, and one each where none is to come', () => {
    const table = tableOf(rows);
    const weighed = (share: (channel: number, age: number) => number) => {
      const found = countsByLevel(table, share);
      const sum = (value: 'messages' | 'settled') =>
        found.reduce((total, counts) => total + counts[value], 0);
      return sum('settled') / sum('messages');
    };
    expect(weighed(() => 1)).toBe(1);
    // Mutation: mature messages that have all of their replies.
    expect(weighed((channel, age) => (age < (channel === 0 ? 14 : 21) ? 1 : 0.5))).toBeLessThan(0.9);
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
