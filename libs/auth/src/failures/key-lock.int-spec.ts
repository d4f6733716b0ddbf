import { AdministrationTrail } from '@outcomes/audit';
import { LOGGER, Management, REDIS, type Logger, type Redis } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { freePort, tcpProxy, testRedisUrl, waitUntil } from '@outcomes/testing';
import { authFixture, subscribed, refusalOf, type AuthFixture, type AuthPod } from '../../test/auth-fixture';
import { KeyForm } from '../keys/key-form';

const HOUR_MS = 3_600_000;
const form = new KeyForm('svc');
let address = 0;
/** An address that no other test used. */
const freshIp = () => `198.51.${(address += 1) >> 8}.${address & 255}`;

describe('the lock of a key', () => {
  let fixture: AuthFixture;
  let pod: AuthPod;
  /** A pod that has no Redis, and counts by itself. */
  let alone: AuthPod;
  let company: { companyId: string; keyId: string; apiKey: string };

  beforeAll(async () => {
    fixture = await authFixture();
    pod = await fixture.pod();
    alone = await fixture.pod({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    company = await fixture.administration.createCompany({ name: 'Locked' });
  });

  const present = (ip: string, at = pod) =>
    refusalOf(at.authenticator.authenticate({ authorization: `Bearer ${company.apiKey}`, ip }));
  /** Wrong secrets, each from an address of its own. */
  const guess = async (times: number, at = pod) => {
    const authorization = `Bearer ${form.format(company.keyId, form.generate().secret)}`;
    for (let n = 0; n < times; n += 1)
      await refusalOf(at.authenticator.identify({ authorization, ip: freshIp() }));
  };
  const lockedUntil = async () => {
    const [row] = await fixture.database.query<{ until: Date | null }>(
      'SELECT locked_until AS until FROM api_keys WHERE key_id = $1',
      [company.keyId],
    );
    return row?.until ?? null;
  };
  const lockFor = async (ms: number) => {
    const until = new Date(fixture.clock.now().getTime() + ms);
    await fixture.database.query('UPDATE api_keys SET locked_until = $2 WHERE key_id = $1', [
      company.keyId,
      until,
    ]);
    await fixture.redis.publish(`${fixture.prefix}:keys:revoked`, company.keyId);
    await waitUntil('the lock to be seen', async () => {
      const refusal = await present(freshIp());
      return 'reason' in refusal && refusal.reason === 'TOKEN_LOCKED';
    });
  };

  /** How many addresses of the key Redis knows. */
  const trusted = () => fixture.redis.zcard(trustedName());
  const trustedName = () => `${fixture.prefix}:auth:trusted:${company.keyId}`;

  it('is for a quarter of an hour, and is written down and counted', async () => {
    const locks = pod.module.get(Management).registry.getSingleMetric('outcomes_keys_locked_total');
    const counted = async () => (await locks?.get())?.values[0]?.value ?? 0;
    const before = await counted();
    const warn = jest.spyOn(pod.module.get<Logger>(LOGGER), 'warn');
    const began = Date.now();
    await guess(20);
    const until = await lockedUntil();
    expect(warn.mock.calls).toEqual([
      [{ keyId: company.keyId, companyId: company.companyId }, expect.stringContaining('a key was locked')],
    ]);
    warn.mockRestore();
    expect((until?.getTime() ?? 0) - 15 * 60_000).toBeGreaterThanOrEqual(began);
    expect((until?.getTime() ?? 0) - 15 * 60_000).toBeLessThanOrEqual(Date.now());
    expect(await counted()).toBe(before + 1);
    const trail = new AdministrationTrail(fixture.administrators);
    expect((await trail.list(mintTenantScope(company.companyId), { limit: 1 }))[0]).toMatchObject({
      ...{ action: 'key.lock', subject: company.keyId, by: { type: 'service' } },
      details: { until: until?.toISOString() },
    });
  });

  it.each(['with', 'without'])('takes twenty more wrong secrets after it ended, %s Redis', async (how) => {
    const at = how === 'with' ? pod : alone;
    await guess(20, at);
    expect(await lockedUntil()).not.toBeNull();
    await fixture.database.query('UPDATE api_keys SET locked_until = NULL WHERE key_id = $1', [
      company.keyId,
    ]);
    await guess(19, at);
    expect(await lockedUntil()).toBeNull();
    await guess(1, at);
    expect(await lockedUntil()).not.toBeNull();
  });

  it.each(['with', 'without'])(
    'is of one key: wrong secrets of another do not add to it, %s Redis',
    async (how) => {
      const at = how === 'with' ? pod : alone;
      await guess(19, at);
      const first = company;
      company = await fixture.administration.createCompany({ name: 'Another' });
      await guess(1, at);
      expect(await lockedUntil()).toBeNull();
      company = first;
      await guess(1, at);
      expect(await lockedUntil()).not.toBeNull();
    },
  );

  it('comes with the next wrong secret where the database was away for the twentieth', async () => {
    await guess(19);
    const away = jest
      .spyOn(pod.module.get(TenantDatabase), 'transaction')
      .mockRejectedValueOnce(new Error('away'));
    await guess(1);
    away.mockRestore();
    expect(await lockedUntil()).toBeNull();
    await guess(1);
    expect(await lockedUntil()).not.toBeNull();
  });

  it('refuses no address that used the secret within a day, and forgets it after that', async () => {
    const customer = freshIp();
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    await lockFor(100 * HOUR_MS);
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    fixture.clock.advance(24 * HOUR_MS);
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    // A day is counted from this use on. Marks are made once an hour at most, so an address is known for an hour longer.
    fixture.clock.advance(24 * HOUR_MS);
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    fixture.clock.advance(25 * HOUR_MS + 2_000);
    expect(await present(customer)).toMatchObject({ reason: 'TOKEN_LOCKED' });
    fixture.clock.advance(-73 * HOUR_MS - 2_000);
  });

  describe('where Redis was away for a moment,', () => {
    let proxy: Awaited<ReturnType<typeof tcpProxy>>;
    afterEach(() => proxy.close());
    const podBehindProxy = async () => {
      proxy = await tcpProxy(testRedisUrl());
      const at = await fixture.pod({ REDIS_URL: proxy.url });
      const connection = at.module.get<Redis>(REDIS);
      const isReady = () => connection.status === 'ready';
      await waitUntil('Redis to be connected', isReady);
      await subscribed(at.module, fixture.redis);
      const cut = async () => {
        // Answers come in order: with this one, those to commands that nobody waits for have come.
        await connection.ping();
        await proxy.cut();
        await waitUntil('Redis to be away', () => !isReady());
      };
      const restore = async () => {
        await proxy.restore();
        await waitUntil('Redis to be back', isReady);
        await subscribed(at.module, fixture.redis);
      };
      return { at, cut, restore };
    };

    it('knows the addresses again that it lost with its data', async () => {
      const { at, cut, restore } = await podBehindProxy();
      const customer = freshIp();
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await waitUntil('the address to be known', async () => (await trusted()) === 1);
      await cut();
      await fixture.redis.del(trustedName());
      await restore();
      // The first request after that writes it down; a stranger's lock comes later.
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await waitUntil('the address to be known again', async () => (await trusted()) === 1);
      await lockFor(HOUR_MS);
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
    });

    it('knows the addresses that it lost with its data under a lock, and tells the other pods of them', async () => {
      const { at, cut, restore } = await podBehindProxy();
      const customer = freshIp();
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await waitUntil('the address to be known', async () => (await trusted()) === 1);
      await lockFor(HOUR_MS);
      await cut();
      await fixture.redis.del(trustedName());
      // While Redis is away as well.
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await restore();
      for (let n = 0; n < 6; n += 1) expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      expect(await present(freshIp(), at)).toMatchObject({ reason: 'TOKEN_LOCKED' });
      await waitUntil('the address to be known again', async () => (await trusted()) === 1);
      expect(await present(customer)).toMatchObject({ code: 'NONE' });
    });

    it('knows the addresses that came meanwhile with their next request', async () => {
      const { at, cut, restore } = await podBehindProxy();
      const customer = freshIp();
      await cut();
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await restore();
      expect(await present(customer, at)).toMatchObject({ code: 'NONE' });
      await waitUntil('the address to be known', async () => (await trusted()) === 1);
    });
  });

  it('makes a mark again that Redis has lost without going away, as by FLUSHALL', async () => {
    const customer = freshIp();
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    await waitUntil('the address to be known', async () => (await trusted()) === 1);
    await lockFor(HOUR_MS);
    await fixture.redis.del(trustedName());
    expect(await present(customer)).toMatchObject({ code: 'NONE' });
    await waitUntil('the address to be known again', async () => (await trusted()) === 1);
  });

  it('knows 200 addresses of a key, those that used it last', async () => {
    const first = freshIp();
    await present(first);
    fixture.clock.advance(5_000);
    const others = Array.from({ length: 200 }, freshIp);
    for (const ip of others) await present(ip);
    fixture.clock.advance(-5_000);
    await lockFor(HOUR_MS);
    expect(await trusted()).toBe(200);
    // On a pod that has seen none of them: the one that did remembers them by itself.
    const elsewhere = await fixture.pod();
    expect(await present(first, elsewhere)).toMatchObject({ reason: 'TOKEN_LOCKED' });
    const refusals = await Promise.all(others.map((ip) => present(ip, elsewhere)));
    expect(refusals.filter(({ code }) => code !== 'NONE')).toEqual([]);
  });

  // The contract has no exception for a Redis that is away: an address that used the secret within the day is not refused.
  it('knows without Redis the addresses that the pod itself has seen, and refuses every other', async () => {
    const customer = freshIp();
    expect(await present(customer, alone)).toMatchObject({ code: 'NONE' });
    await guess(20, alone);
    expect(await lockedUntil()).not.toBeNull();
    expect(await present(customer, alone)).toMatchObject({ code: 'NONE' });
    expect(await present(freshIp(), alone)).toMatchObject({ reason: 'TOKEN_LOCKED' });
  });
});
