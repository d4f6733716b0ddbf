import { BodyLedger, type HeldBody } from './body-ledger';

const MAX_ARRIVING = 4;
const A = { companyId: 'a', keyId: 'a1' };
const B = { companyId: 'b', keyId: 'b1' };

describe('the memory of bodies', () => {
  let now: number;
  let ledger: BodyLedger;
  let evicted: string[];
  beforeEach(() => {
    now = 0;
    evicted = [];
    ledger = new BodyLedger(100, MAX_ARRIVING, () => now);
  });

  const begin = (name: string, owner = A, bytes = 0): HeldBody => {
    const body = ledger.begin(owner, () => evicted.push(name));
    if (bytes > 0) expect(ledger.grow(body, bytes)).toBe(true);
    return body;
  };

  it('is charged as it is taken, and given back', () => {
    const body = begin('one', A, 30);
    expect([ledger.grow(body, 20), ledger.bytes]).toEqual([true, 50]);
    ledger.end(body);
    expect(ledger.bytes).toBe(0);
  });

  it('may be taken by one company while nobody else wants it, but for a quarter', () => {
    const bodies = Array.from({ length: 3 }, (_, n) => begin(String(n), A, 25));
    bodies.forEach((body) => ledger.complete(body));
    expect(ledger.grow(begin('more'), 1)).toBe(false);
    // Mutation: without the share a company that fills everything leaves nothing to the next.
    expect(ledger.grow(begin('theirs', B), 25)).toBe(true);
    expect(evicted).toEqual([]);
  });

  it('is taken from the company that holds most, from its slowest body first', () => {
    const [slow, fast] = [begin('slow', A, 5), begin('fast', A)];
    now = 10_000;
    expect(ledger.grow(fast, 65)).toBe(true);
    const theirs = begin('theirs', B, 30);
    expect(ledger.grow(theirs, 5)).toBe(true);
    // Mutation: the newest, the largest or one of B's goes.
    expect(evicted).toEqual(['slow']);
    expect(ledger.grow(theirs, 10)).toBe(true);
    expect(evicted).toEqual(['slow', 'fast']);
    expect(ledger.bytes).toBe(45);
    ledger.end(slow);
    ledger.end(fast);
    expect(ledger.bytes).toBe(45);
  });

  it('is refused to who holds most itself', () => {
    begin('theirs', B, 30);
    const mine = begin('mine', A, 70);
    expect(ledger.grow(mine, 1)).toBe(false);
    expect([evicted, ledger.bytes]).toEqual([[], 100]);
  });

  it('is refused where all of it is in work', () => {
    for (const owner of [A, B]) ledger.complete(begin('whole', owner, 50));
    expect(ledger.grow(begin('late', { companyId: 'c', keyId: 'c1' }), 1)).toBe(false);
    expect(evicted).toEqual([]);
  });

  it('never goes negative, whatever ends when', () => {
    const bodies = Array.from({ length: 4 }, (_, n) => begin(String(n), n % 2 ? A : B, 20));
    for (const body of [...bodies, ...bodies.toReversed()].slice(0, 4)) ledger.end(body);
    expect(ledger.bytes).toBe(0);
  });

  it('is for so many bodies of a key and of a company on their way, and for more that are here', () => {
    const bodies = Array.from({ length: MAX_ARRIVING }, (_, n) => begin(String(n)));
    expect([ledger.mayBegin(A), ledger.mayBegin({ ...A, keyId: 'a2' }), ledger.mayBegin(B)]).toEqual([
      false,
      true,
      true,
    ]);
    for (let n = MAX_ARRIVING; n < 2 * MAX_ARRIVING; n += 1) begin('x', { ...A, keyId: 'a2' });
    expect([ledger.mayBegin({ ...A, keyId: 'a3' }), ledger.mayBegin(B)]).toEqual([false, true]);
    bodies.forEach((body) => ledger.complete(body));
    expect(ledger.mayBegin(A)).toBe(true);
  });
});
