import type { Logger } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { FLUSH_EVERY_MS, UsageLedger } from './usage-ledger.service';
import type { UsageRepository } from './usage.repository';

const MONTH = 24_314;
const scope = mintTenantScope('11111111-1111-4111-8111-111111111111');

describe('the month of a busy key', () => {
  const write = jest.fn<Promise<void>, Parameters<UsageRepository['write']>>();
  const read = jest.fn<Promise<number>, Parameters<UsageRepository['read']>>();
  const warn = jest.fn();
  let ledger: UsageLedger;
  beforeEach(() => {
    jest.useFakeTimers();
    write.mockReset().mockResolvedValue(undefined);
    read.mockReset().mockResolvedValue(0);
    warn.mockReset();
    ledger = new UsageLedger({ read, write } as unknown as UsageRepository, { warn } as unknown as Logger);
  });
  afterEach(() => jest.useRealTimers());

  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  const note = (used: number, name = 'busy') => ledger.note(name, scope, name, MONTH, used);
  const load = (month = MONTH, name = 'busy') => ledger.load(name, scope, name, month);
  const written = () => write.mock.calls.map(([, , , used]) => used);

  it('is written four times a second at most, and its last state without being asked', async () => {
    note(200);
    await after(0);
    note(400);
    await after(249);
    // Mutation: it is written with every two hundredth request.
    expect(written()).toEqual([200]);
    note(600);
    // Mutation: a timer for each request that comes in the pause.
    expect(jest.getTimerCount()).toBe(1);
    await after(1);
    // Mutation: it is written when the next request comes after the pause, which may never be.
    expect(written()).toEqual([200, 600]);
  });

  it('is tried again no sooner where it could not be written', async () => {
    write.mockRejectedValueOnce(new Error('away'));
    note(200);
    await after(0);
    note(201);
    await after(249);
    expect(written()).toEqual([200]);
    await after(1);
    expect(written()).toEqual([200, 201]);
  });

  it('is written at once where two hundred requests are not, and not for fewer', async () => {
    note(199);
    await after(0);
    expect(written()).toEqual([]);
    note(200);
    await after(1_000);
    note(399);
    await after(1_000);
    note(400);
    await after(0);
    expect(write.mock.calls).toEqual([200, 400].map((used) => [scope, 'busy', MONTH, used]));
  });

  it('is written once for all who ask while it is being written', async () => {
    let done: () => void = () => undefined;
    write.mockReturnValueOnce(new Promise((resolve) => (done = resolve)));
    note(200);
    await after(0);
    for (const used of [450, 500]) note(used);
    const flushed = ledger.flush();
    await after(1_000);
    // One after the other: the second says what is known by then.
    expect(written()).toEqual([200]);
    note(600);
    done();
    await flushed;
    await after(1_000);
    expect(written()).toEqual([200, 600]);
  });

  it('is written every fifteen seconds where it changed, and when the process ends', async () => {
    ledger.onModuleInit();
    note(5);
    await after(FLUSH_EVERY_MS - 1);
    expect(written()).toEqual([]);
    await after(1);
    await after(FLUSH_EVERY_MS);
    expect(written()).toEqual([5]);
    note(6);
    await ledger.beforeApplicationShutdown();
    expect(written()).toEqual([5, 6]);
    expect(jest.getTimerCount()).toBe(0);
    ledger.onModuleInit();
    ledger.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for the next time where Postgres is away, and so do all others', async () => {
    write.mockRejectedValueOnce(new Error('away'));
    note(5, 'one');
    note(6, 'other');
    await ledger.flush();
    // Mutation: each of thousands waits until its write has timed out.
    expect([written(), warn.mock.calls.length]).toEqual([[5], 1]);
    await ledger.flush();
    expect(written()).toEqual([5, 5, 6]);
  });

  it('is known of the month that is asked about alone', () => {
    expect(ledger.find('busy', MONTH)).toBeUndefined();
    note(5);
    expect(ledger.find('busy', MONTH)).toMatchObject({ used: 5, written: 0, owed: 0 });
    expect(ledger.find('busy', MONTH + 1)).toBeUndefined();
    ledger.note('busy', scope, 'busy', MONTH + 1, 1);
    expect(ledger.find('busy', MONTH + 1)).toMatchObject({ used: 1 });
  });

  it('is written when it is over, also where Postgres was away then, and once', async () => {
    note(5);
    ledger.note('busy', scope, 'busy', MONTH + 1, 1);
    write.mockRejectedValueOnce(new Error('away'));
    await ledger.flush();
    await ledger.flush();
    await ledger.flush();
    expect(write.mock.calls.map(([, , month, used]) => [month, used])).toEqual([
      [MONTH, 5],
      [MONTH, 5],
      [MONTH + 1, 1],
    ]);
  });

  it('is written after it was forgotten for others while Postgres was away', async () => {
    note(5, 'forgotten');
    write.mockRejectedValueOnce(new Error('away'));
    for (let n = 0; n < 50_000; n += 1) note(0, `k${n}`);
    await after(0);
    expect(ledger.find('forgotten', MONTH)).toBeUndefined();
    expect(written()).toEqual([5]);
    await ledger.flush();
    expect(written()).toEqual([5, 5]);
  });

  it('is read once for all who ask meanwhile, and again for who asks later', async () => {
    read.mockResolvedValue(7);
    const [one, other, next] = await Promise.all([load(), load(), load(MONTH + 1)]);
    expect(one).toBe(other);
    expect(next).not.toBe(one);
    expect(one).toMatchObject({ used: 7, written: 7, month: MONTH });
    expect(read.mock.calls).toEqual([MONTH, MONTH + 1].map((month) => [scope, 'busy', month]));
    read.mockRejectedValueOnce(new Error('away'));
    await expect(load()).rejects.toThrow('away');
    expect(await load()).toMatchObject({ used: 7 });
    // What Postgres says is no news to it.
    await ledger.flush();
    expect(written()).toEqual([]);
  });

  it.each([
    ['more', 9, 11],
    // Two of the five are owed, so the pod last saw three.
    ['a little more', 4, 6],
    ['the same', 3, 5],
    ['less', 2, 5],
  ])('is the larger count where Postgres says %s, with what is owed', async (_, told, used) => {
    read.mockResolvedValue(told);
    note(5).owed = 2;
    expect(await load()).toMatchObject({ used, owed: 2 });
    expect(ledger.find('busy', MONTH)).toMatchObject({ used, owed: 2 });
    await ledger.flush();
    expect(written()).toEqual(used > told ? [used] : []);
  });

  it('is not made more by what is owed and was written down by the pod itself', async () => {
    note(5).owed = 2;
    await ledger.flush();
    read.mockResolvedValue(5);
    expect(await load()).toMatchObject({ used: 5, owed: 2 });
  });

  it('is written before it is forgotten for fifty thousand others', async () => {
    note(1, 'renewed');
    note(5, 'changed');
    read.mockResolvedValue(7);
    await load(MONTH, 'unchanged');
    ledger.note('renewed', scope, 'renewed', MONTH + 1, 2);
    for (let n = 0; n < 50_000 - 3; n += 1) note(0, `k${n}`);
    await after(0);
    expect(written()).toEqual([]);
    note(0, 'one more');
    note(0, 'and another');
    await after(0);
    expect(written()).toEqual([5]);
    const known = ['changed', 'unchanged', 'k0'].map((name) => ledger.find(name, MONTH) !== undefined);
    expect(known).toEqual([false, false, true]);
    expect(ledger.find('renewed', MONTH + 1)).toMatchObject({ used: 2 });
  });
});
