import { RecentAttempts } from './recent-attempts';

describe('attempts in memory', () => {
  let now = 0;
  const clock = { now: () => new Date(now) };

  it('are full at the limit and stay so for one window after the last', () => {
    const attempts = new RecentAttempts(5, 3_600, clock);
    for (const expected of [1, 2, 3, 4, 5, 6, 6]) {
      expect(attempts.count('a')).toBe(expected);
      now += 60_000;
    }
    // The fifth was counted at minute 4; now it is minute 7.
    now = 4 * 60_000 + 3_600_000 - 1;
    expect(attempts.isFull('a')).toBe(true);
    now += 1;
    expect(attempts.isFull('a')).toBe(false);
    expect(attempts.count('a')).toBe(1);
  });

  // Mutation: a window that starts with the first attempt forgets 4 of these 8 at its end.
  it('count the last hour, not the present one', () => {
    const attempts = new RecentAttempts(5, 3_600, clock);
    now = 0;
    attempts.count('b');
    now = 59 * 60_000;
    for (let n = 0; n < 3; n += 1) attempts.count('b');
    now = 61 * 60_000;
    expect(attempts.count('b')).toBe(4);
    expect(attempts.count('b')).toBe(5);
    expect(attempts.count('b')).toBe(6);
  });

  // Mutation: without a bound the mark that was used longest ago is still known, and memory grows with every attack.
  it('are forgotten of the mark that was used longest ago, where there are more than 50,000', () => {
    const attempts = new RecentAttempts(1, 3_600, clock);
    now = 0;
    for (let mark = 0; mark < 50_000; mark += 1) attempts.count(`mark ${mark}`);
    expect([0, 1, 49_999].map((mark) => attempts.isFull(`mark ${mark}`))).toEqual([true, true, true]);
    attempts.count('one more');
    expect([2, 3, 1].map((mark) => attempts.isFull(`mark ${mark}`))).toEqual([false, true, true]);
    expect(attempts.isFull('one more')).toBe(true);
  });

  it('are over when they are an hour old, to the millisecond', () => {
    const attempts = new RecentAttempts(5, 3_600, clock);
    for (const at of [0, 1, 3_600_000]) {
      now = at;
      attempts.count('e');
    }
    expect(attempts.count('e')).toBe(3);
  });

  it('of different marks do not meet', () => {
    const attempts = new RecentAttempts(1, 3_600, clock);
    expect(attempts.count('c')).toBe(1);
    expect(attempts.count('d')).toBe(1);
    attempts.clear('c');
    expect(attempts.count('c')).toBe(1);
  });
});
