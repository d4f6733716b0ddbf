import { serviceConfigSchema, type Redis } from '@outcomes/platform';
import { StandingClock } from '@outcomes/testing';
import { AddressWindows } from './address-windows.service';

const LIMIT = 3;
const TTL_MS = 900_000;
const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
  DATABASE_URL: 'postgres://unused/unused',
  REDIS_URL: 'redis://unused',
});

describe('windows of addresses in one pod, while Redis is away', () => {
  let clock: StandingClock;
  let windows: AddressWindows;
  beforeEach(() => {
    clock = new StandingClock('2026-03-01T00:00:00Z');
    windows = new AddressWindows({ status: 'end' } as Redis, config, clock);
  });
  const ask = (address = 'a') => windows.increment(address, TTL_MS, LIMIT);

  it('let as many through as there may be, and say how many there were and when it ends', async () => {
    const told = { timeToExpire: 900, isBlocked: false, timeToBlockExpire: 0 };
    for (const totalHits of [1, 2, 3]) expect(await ask()).toEqual({ ...told, totalHits });
    const blocked = { totalHits: 4, timeToExpire: 900, isBlocked: true, timeToBlockExpire: 900 };
    expect(await ask()).toEqual(blocked);
    expect(await ask('b')).toEqual({ ...told, totalHits: 1 });
    clock.advance(TTL_MS - 1_001);
    expect(await ask()).toMatchObject({ timeToExpire: 2, timeToBlockExpire: 2 });
    clock.advance(1_000);
    expect(await ask()).toMatchObject({ totalHits: 6, timeToExpire: 1 });
    clock.advance(1);
    expect(await ask()).toEqual({ ...told, totalHits: 1 });
  });

  it('count on beyond the tenth request, which Redis cannot be told', async () => {
    for (let n = 1; n < 25; n += 1) await ask();
    expect(await ask()).toMatchObject({ totalHits: 25 });
  });

  it('are exhausted when all is used, before anybody is refused, and until they end', async () => {
    const seen = [windows.isExhausted('a', LIMIT)];
    for (let n = 0; n < LIMIT; n += 1) {
      await ask();
      seen.push(windows.isExhausted('a', LIMIT));
    }
    expect(seen).toEqual([false, false, false, true]);
    clock.advance(TTL_MS - 1);
    expect(windows.isExhausted('a', LIMIT)).toBe(true);
    clock.advance(1);
    expect(windows.isExhausted('a', LIMIT)).toBe(false);
  });

  it('are forgotten beyond fifty thousand addresses, the one that began first', async () => {
    await ask('a0');
    clock.advance(TTL_MS);
    for (let n = 1; n < 50_000; n += 1) void ask(`a${n}`);
    expect(await ask('a0')).toMatchObject({ totalHits: 1 });
    expect(await ask('a1')).toMatchObject({ totalHits: 2 });
    await ask('one more');
    const totals = [];
    for (const address of ['a0', 'a2', 'a1']) totals.push((await ask(address)).totalHits);
    expect(totals).toEqual([2, 2, 1]);
  });
});
