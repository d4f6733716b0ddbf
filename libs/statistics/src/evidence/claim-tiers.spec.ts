import fc from 'fast-check';
import { confirmedAtLogE, rejectByLogE } from '.';

describe('the log e-value at which a code is confirmed', () => {
  it('is where e-BH takes one code more, and what those that it took had to reach', () => {
    const counts = fc.record({ confirmed: fc.nat(20), others: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(counts, fc.double({ min: 1e-6, max: 3, noNaN: true }), ({ confirmed, others }, beyond) => {
        const taking = confirmed + others;
        const strong = Array.from({ length: confirmed }, () => 100);
        const rest = Array.from({ length: others - 1 }, () => 0);
        const limit = confirmedAtLogE(taking, confirmed, false);
        const isTaken = (logE: number) => rejectByLogE([logE, ...strong, ...rest], 0.05)[0];
        expect([isTaken(limit + beyond), isTaken(limit - beyond)]).toEqual([true, false]);
        // Once it is one of them, the same limit is that of the confirmed.
        expect(confirmedAtLogE(taking, confirmed + 1, true)).toBe(limit);
      }),
    );
  });

  it('asks for no more confirmed codes than take part', () => {
    expect(() => confirmedAtLogE(2, 3, true)).toThrow(expect.objectContaining({ code: 'range' }));
    expect(confirmedAtLogE(0, 0, false)).toBeCloseTo(Math.log(20), 12);
  });
});
