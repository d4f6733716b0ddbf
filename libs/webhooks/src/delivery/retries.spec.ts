import { MAX_ATTEMPTS, pauseAfter } from './retries';

const now = new Date('2026-06-01T08:00:00Z');
const seconds = (attempts: number, random = 0, retryAfter?: string) => {
  const pause = pauseAfter(attempts, { now, random, retryAfter });
  return pause === undefined ? undefined : pause / 1_000;
};

describe('the pause before the next attempt', () => {
  it('grows from seconds to a day, and ends after ten attempts', () => {
    const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, n) => seconds(n + 1));
    expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
  });

  it('is up to a tenth longer by chance', () => {
    expect([seconds(2, 0.5), seconds(2, 0.999)]).toEqual([315, expect.closeTo(330, 0)]);
  });

  it('is what the endpoint asks for where that is longer, up to a day', () => {
    expect(seconds(1, 0, '120')).toBe(120);
    expect(seconds(1, 0, 'Mon, 01 Jun 2026 08:10:00 GMT')).toBe(600);
    expect(seconds(1, 0, '999999999')).toBe(86_400);
    expect(seconds(2, 0, '1')).toBe(300);
    expect(seconds(1, 0, 'soon')).toBe(5);
    expect(seconds(1, 0, 'Mon, 01 Jun 2020 08:10:00 GMT')).toBe(5);
  });

  it('has no end that an endpoint can put off', () => expect(seconds(MAX_ATTEMPTS, 0, '60')).toBeUndefined());
});
