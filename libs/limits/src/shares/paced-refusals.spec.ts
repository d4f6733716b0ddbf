import { PacedRefusals } from './paced-refusals.service';

/** So many leave at once, and so many in each second after that. */
const PACE = 50;

const settled = async (promises: readonly Promise<unknown>[]) => {
  const none = Symbol('none');
  const seen = await Promise.all(promises.map((promise) => Promise.race([promise, Promise.resolve(none)])));
  return seen.filter((one) => one !== none).length;
};

/** Lets what waits for nothing but its turn of the queue go on. */
const afterMs = async (ms: number) => {
  await jest.advanceTimersByTimeAsync(ms);
};

describe('refusals', () => {
  let refusals: PacedRefusals;

  beforeEach(() => {
    jest.useFakeTimers();
    refusals = new PacedRefusals();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const askedAtOnce = (count: number, payer = 'one') =>
    Array.from({ length: count }, () => refusals.turn(payer).then(() => true));

  it('leave at once while they are few', async () => {
    const turns = askedAtOnce(PACE);
    expect(jest.getTimerCount()).toBe(0);
    await Promise.all(turns);
  });

  it('leave one after the other when they are many, and none waits for longer than two seconds', async () => {
    const turns = askedAtOnce(10 * PACE);
    await afterMs(500);
    expect(await settled(turns)).toBe(1.5 * PACE);
    await afterMs(1_500);
    expect(await settled(turns)).toBe(10 * PACE);
  });

  it('keep no process alive while they wait', async () => {
    jest.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const turns = askedAtOnce(PACE + 1);
    // Mutation: a process that shuts down waits for two seconds with every refusal.
    expect(timers()).toBe(before);
    await Promise.all(turns);
  });

  it('keep who asks again as soon as he is refused to what his connections get in a second', async () => {
    let refused = 0;
    const asking = Array.from({ length: 20 }, async () => {
      for (;;) {
        await refusals.turn('one');
        refused += 1;
        if (refused >= 1_000) return;
      }
    });
    await afterMs(4_000);
    // The burst, and an even pace since.
    expect(refused).toBeGreaterThanOrEqual(5 * PACE - 1);
    expect(refused).toBeLessThanOrEqual(5 * PACE + 1);
    await afterMs(60_000);
    await Promise.all(asking);
  });

  it('wait for what was dearer to refuse', async () => {
    void refusals.turn('one', PACE + 25);
    const turns = askedAtOnce(1);
    await afterMs(500);
    expect(await settled(turns)).toBe(0);
    await afterMs(20);
    expect(await settled(turns)).toBe(1);
  });

  it('of others do not wait for them', async () => {
    void askedAtOnce(10 * PACE);
    const others = askedAtOnce(PACE, 'another');
    await afterMs(0);
    expect(await settled(others)).toBe(PACE);
  });

  it('are at once again after a rest', async () => {
    void askedAtOnce(10 * PACE);
    await afterMs(3_000);
    const turns = askedAtOnce(PACE);
    await afterMs(0);
    expect(await settled(turns)).toBe(PACE);
  });

  it('hold nothing of what requests share while they wait', async () => {
    void askedAtOnce(PACE);
    const letGo = jest.fn();
    const refused = refusals.refuse({ letGo }, 'one', new Error('Too many.'));
    expect(letGo).toHaveBeenCalledTimes(1);
    const outcome = expect(refused).rejects.toThrow('Too many.');
    await afterMs(2_000);
    await outcome;
  });

  it('of a request that shares nothing leave as others do', async () => {
    await expect(refusals.refuse({}, 'one', new Error('Too many.'))).rejects.toThrow('Too many.');
  });

  it('remember ten thousand payers at most', async () => {
    void askedAtOnce(PACE);
    for (let n = 1; n < 10_000; n += 1) void refusals.turn(`another ${n}`);
    const before = jest.getTimerCount();
    void refusals.turn('one more');
    const turns = askedAtOnce(PACE);
    // Mutation: payers without end, or none remembered.
    expect([before, jest.getTimerCount()]).toEqual([0, 0]);
    await Promise.all(turns);
  });
});
