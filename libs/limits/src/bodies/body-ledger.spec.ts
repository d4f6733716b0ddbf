import * as fc from 'fast-check';
import { BodyLedger, type HeldBody } from './body-ledger';

const MAX_ARRIVING = 4;
const A = { companyId: 'a', keyId: 'a1' };
const B = { companyId: 'b', keyId: 'b1' };
const C = { companyId: 'c', keyId: 'c1' };

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
    begin('stays', A, 5);
    // Mutation: what is given back is still the company's. The second body is refused.
    for (let n = 0; n < 5; n += 1) ledger.end(begin('comes and goes', A, 70));
    expect(ledger.bytes).toBe(5);
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

  const SLOWER: [string, { at: number; bytes: number }, { at: number; bytes: number }][] = [
    ['older of two of one size', { at: 0, bytes: 10 }, { at: 10_000, bytes: 10 }],
    ['younger that brought less for its age', { at: 10_000, bytes: 10 }, { at: 0, bytes: 40 }],
    ['smaller of two in their first second', { at: 19_990, bytes: 5 }, { at: 19_100, bytes: 6 }],
  ];

  it.each(SLOWER)('is taken from the %s', (_which, slower, faster) => {
    const bodies = [
      ['slower', slower],
      ['faster', faster],
    ] as const;
    for (const [name, { at, bytes }] of bodies.toSorted(([, one], [, other]) => one.at - other.at)) {
      now = at;
      begin(name, A, bytes);
    }
    now = 20_000;
    ledger.complete(begin('whole', A, 75 - slower.bytes - faster.bytes));
    begin('theirs', B, 25);
    begin('late', C, 1);
    expect(evicted).toEqual(['slower']);
  });

  it('is taken from the slowest of a company that would hold more than its share', () => {
    ledger.complete(begin('whole', A, 60));
    const [slow, fast] = [begin('slow', A, 5), begin('fast', A, 10)];
    begin('theirs', B, 5);
    expect([ledger.grow(fast, 5), evicted, ledger.bytes]).toEqual([true, ['slow'], 80]);
    ledger.end(slow);
    expect(ledger.grow(fast, 1)).toBe(false);
  });

  it('is left to a company of which nothing is on its way, however much it holds', () => {
    ledger.complete(begin('whole', A, 60));
    begin('arriving', B, 30);
    begin('late', C, 20);
    expect(evicted).toEqual(['arriving']);
  });

  it('is refused to who would hold as much as the one who holds most', () => {
    begin('theirs', A, 50);
    ledger.complete(begin('whole', C, 10));
    const mine = begin('mine', B, 40);
    expect([ledger.grow(mine, 10), evicted]).toEqual([false, []]);
    expect(ledger.grow(begin('late', C), 30)).toBe(true);
    expect(evicted).toEqual(['theirs']);
  });

  it('is refused to who holds most itself', () => {
    begin('theirs', B, 30);
    const mine = begin('mine', A, 70);
    expect(ledger.grow(mine, 1)).toBe(false);
    expect([evicted, ledger.bytes]).toEqual([[], 100]);
  });

  it('is refused where all of it is in work', () => {
    for (const owner of [A, B]) ledger.complete(begin('whole', owner, 50));
    expect(ledger.grow(begin('late', C), 1)).toBe(false);
    expect(evicted).toEqual([]);
  });

  it('is what bodies hold, whoever comes and goes: all of it never for one company, and nothing once all are gone', () => {
    const step = fc.record({
      does: fc.constantFrom('begin', 'take', 'grow', 'grow', 'grow', 'complete', 'end'),
      owner: fc.constantFrom(A, B, C),
      body: fc.nat(20),
      bytes: fc.integer({ min: 1, max: 40 }),
      afterMs: fc.nat(3_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let clock = 0;
        const memory = new BodyLedger(100, MAX_ARRIVING, () => clock);
        const bodies: { held: HeldBody; bytes: number }[] = [];
        const heldBy = (companyId?: string) =>
          bodies
            .filter(({ held }) => companyId === undefined || held.owner.companyId === companyId)
            .reduce((sum, { bytes }) => sum + bytes, 0);
        for (const { does, owner, body, bytes, afterMs } of steps) {
          clock += afterMs;
          const one = bodies[body % Math.max(1, bodies.length)];
          if (does === 'begin') {
            const begun = { held: memory.begin(owner, () => (begun.bytes = 0)), bytes: 0 };
            bodies.push(begun);
          } else if (does === 'take') bodies.push({ held: memory.begin(owner), bytes: 0 });
          else if (!one) continue;
          else if (does === 'grow') one.bytes += memory.grow(one.held, bytes) ? bytes : 0;
          else if (does === 'complete') memory.complete(one.held);
          else {
            memory.end(one.held);
            bodies.splice(bodies.indexOf(one), 1);
          }
          if (memory.bytes !== heldBy() || memory.bytes > 100) return false;
          if ([A, B, C].some(({ companyId }) => heldBy(companyId) > 75)) return false;
        }
        for (const { held } of bodies) memory.end(held);
        return memory.bytes === 0;
      }),
    );
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
    bodies.forEach((body) => ledger.end(body));
    for (let n = 0; n < 2 * MAX_ARRIVING; n += 1) ledger.begin(A);
    expect(ledger.mayBegin(A)).toBe(true);
  });

  it('is on its way for nobody once it has ended', () => {
    begin('stays', A);
    const bodies = Array.from({ length: MAX_ARRIVING - 1 }, () => begin('goes'));
    expect(ledger.mayBegin(A)).toBe(false);
    bodies.forEach((body) => ledger.end(body));
    expect(ledger.mayBegin(A)).toBe(true);
  });
});
