import type { Held } from '@outcomes/platform';
import { RequestShares } from './request-shares';

describe('the shares of requests', () => {
  const begun = (shares: RequestShares, companyId: string, requests: number) =>
    Array.from({ length: requests }, () => shares.begin(companyId));
  const isHeld = (begin: Held | string): begin is Held => typeof begin === 'object';

  it('gives one company three quarters while it is alone, and keeps the rest for others', () => {
    const shares = new RequestShares(100);
    const hog = begun(shares, 'hog', 100);
    // Mutation: an equal part even where nobody else asks (50), or everything (100).
    expect(hog.filter(isHeld).length).toBe(75);
    expect(hog.at(-1)).toBe('share');
    // 100 / 3: an equal part of two companies, and one kept for a third.
    expect(begun(shares, 'other', 25).filter(isHeld).length).toBe(25);
    expect([shares.begin('third'), shares.begin('hog')]).toEqual(['full', 'share']);
  });

  it('holds each to an equal part of what there is and no more', () => {
    const shares = new RequestShares(12);
    begun(shares, 'hog', 6);
    // 12 / 3: a part for each of them, and one for a third.
    expect(begun(shares, 'other', 5).map(isHeld)).toEqual([true, true, true, true, false]);
  });

  it('gives what is freed to those below their part', () => {
    const shares = new RequestShares(100);
    const hog = begun(shares, 'hog', 75).filter(isHeld);
    const other = begun(shares, 'other', 25).filter(isHeld);
    for (const held of hog.splice(0, 20)) held.release();
    // 80 of 100 are under way: the company of 55 is above 100 / 3, that of 25 below it.
    expect(shares.begin('hog')).toBe('share');
    const more = begun(shares, 'other', 20).filter(isHeld);
    // Mutation: first come, first served. Then the other takes all twenty, and a third finds nothing.
    expect(more.length).toBe(9);
    expect(isHeld(shares.begin('third'))).toBe(true);
    for (const held of [...hog, ...other, ...more]) held.release();
    expect(shares.size).toBe(1);
  });

  it('leaves companies without a request out, however many there were, and forgets nobody who has one', () => {
    const shares = new RequestShares(100);
    begun(shares, 'a', 50);
    for (let n = 0; n < 3_000; n += 1) {
      const held = shares.begin(`c${n % 1_500}`);
      if (isHeld(held)) held.release();
    }
    // Mutation: a company that has left still has a part. 100 / 1,502 would leave nothing to either.
    expect(begun(shares, 'b', 50).filter(isHeld).length).toBe(34);
    expect(shares.begin('a')).toBe('share');
  });

  it('counts against a company only what it has under way', () => {
    const shares = new RequestShares(4);
    for (let n = 0; n < 10; n += 1) {
      const three = begun(shares, 'a', 3);
      expect(three.map(isHeld)).toEqual([true, true, true]);
      for (const held of three.filter(isHeld)) held.release();
    }
  });
});
