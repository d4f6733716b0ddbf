import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { tcpProxy, testRedisUrl, waitUntil } from '@outcomes/testing';
import { authFixture, refusalOf, subscribed, type AuthFixture, type AuthPod } from '../../test/auth-fixture';
import { KeyForm } from './key-form';
import { KeyUses } from './key-uses.service';

const ip = '192.0.2.1';
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
  ...(['clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];
const form = new KeyForm('svc');
const bearing = (apiKey: string, from = ip) => ({ authorization: `Bearer ${apiKey}`, ip: from });

describe('what a pod knows of a key', () => {
  let fixture: AuthFixture;
  let pod: AuthPod;
  let company: { companyId: string; keyId: string; apiKey: string };

  beforeAll(async () => {
    fixture = await authFixture();
    pod = await fixture.pod();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    company = await fixture.administration.createCompany({ name: 'Known' });
  });

  /** As a pod finds it whom nobody told. */
  const revokeSilently = () =>
    fixture.database.query('UPDATE api_keys SET revoked_at = now() WHERE key_id = $1', [company.keyId]);
  const reasonAt = async ({ authenticator }: AuthPod) => {
    const refusal = await refusalOf(authenticator.identify(bearing(company.apiKey)));
    return 'reason' in refusal ? refusal.reason : refusal.code;
  };
  const cached = (apiKey = company.apiKey, from = ip) =>
    pod.authenticator.identifyCached(bearing(apiKey, from))?.keyId;

  it('is enough to let it in at once, from the second request of an address on', async () => {
    expect(cached()).toBeUndefined();
    await pod.authenticator.identify(bearing(company.apiKey));
    expect(cached()).toBe(company.keyId);
    expect(cached(company.apiKey, '192.0.2.2')).toBeUndefined();
    expect(cached(form.format(company.keyId, form.generate().secret))).toBeUndefined();
    expect(cached(`${company.apiKey}0`)).toBeUndefined();
    expect(cached()).toBe(company.keyId);
    fixture.clock.advance(91 * 86_400_000);
    expect(cached()).toBeUndefined();
    fixture.clock.advance(-91 * 86_400_000);
  });

  it('is not enough for a locked one, or for one from a network that is not its own', async () => {
    const scope = mintTenantScope(company.companyId);
    const bound = await fixture.administration.createKey(scope, { networks: ['203.0.113.0/24'] });
    await pod.authenticator.identify(bearing(bound.apiKey, '203.0.113.7'));
    expect(cached(bound.apiKey, '203.0.113.7')).toBe(bound.keyId);
    await refusalOf(pod.authenticator.identify(bearing(bound.apiKey)));
    expect(cached(bound.apiKey)).toBeUndefined();
    await fixture.database.query(
      `UPDATE api_keys SET locked_until = now() + interval '1 hour' WHERE key_id = $1`,
      [company.keyId],
    );
    await refusalOf(pod.authenticator.identify(bearing(company.apiKey)));
    expect(cached()).toBeUndefined();
  });

  it('stays familiar, whatever becomes of it; what was never found does not', async () => {
    const isFamiliar = (apiKey: string) => pod.authenticator.isFamiliar(bearing(apiKey));
    const invented = form.generate().apiKey;
    expect([company.apiKey, invented, 'svc_nonsense'].map(isFamiliar)).toEqual([false, false, false]);
    await pod.authenticator.identify(bearing(company.apiKey));
    await refusalOf(pod.authenticator.identify(bearing(invented)));
    await fixture.administration.revokeKey(company.keyId);
    await waitUntil('the revocation', async () => (await reasonAt(pod)) === 'TOKEN_INACTIVE');
    expect([company.apiKey, invented, 'svc_nonsense'].map(isFamiliar)).toEqual([true, false, false]);
    expect(() => pod.authenticator.isFamiliar({ ip })).toThrow(
      expect.objectContaining({ code: 'missing_token' }),
    );
  });

  // The name is agreed between pods of several versions, and with the command line.
  it('is looked at again where <prefix>:keys:revoked names it', async () => {
    expect(await reasonAt(pod)).toBe('NONE');
    await revokeSilently();
    expect(await reasonAt(pod)).toBe('NONE');
    await fixture.redis.publish(`${fixture.prefix}:keys:revoked`, company.keyId);
    await waitUntil(
      'the key to be read again',
      async () => (await reasonAt(pod)) === 'TOKEN_INACTIVE',
      2_000,
    );
  });

  it('is forgotten where the connection to Redis broke, since a message may be lost', async () => {
    const proxy = await tcpProxy(testRedisUrl());
    const cutOff = await fixture.pod({ REDIS_URL: proxy.url });
    await subscribed(cutOff.module, fixture.redis);
    expect(await reasonAt(cutOff)).toBe('NONE');
    await revokeSilently();
    await proxy.cut();
    expect(await reasonAt(cutOff)).toBe('NONE');
    await proxy.restore();
    // Mutation: otherwise it is believed for ten seconds from the first question.
    await waitUntil(
      'the key to be read again',
      async () => (await reasonAt(cutOff)) === 'TOKEN_INACTIVE',
      5_000,
    );
    await cutOff.module.close();
    await proxy.close();
  });

  it('is a failure of ours where a later version bound it in a way that this one does not know', async () => {
    await fixture.database.query('ALTER TABLE api_keys DROP CONSTRAINT api_keys_purpose_check');
    await fixture.database.query(`UPDATE api_keys SET purpose = 'later' WHERE key_id = $1`, [company.keyId]);
    expect(await reasonAt(pod)).toBe('INTERNAL_ERROR');
  });

  describe('includes its last use, which is written down', () => {
    const lastUse = async (of = company) => {
      const [key] = await fixture.administration.listKeys(mintTenantScope(of.companyId));
      return key?.lastUsedAt ?? undefined;
    };

    it('before the pod ends', async () => {
      const ending = await fixture.pod();
      await ending.authenticator.identify(bearing(company.apiKey));
      await ending.module.close();
      expect(await lastUse()).toEqual(expect.any(Date));
    });

    it('each minute', async () => {
      jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
      const running = await fixture.pod();
      await running.authenticator.identify(bearing(company.apiKey));
      jest.advanceTimersByTime(60_000);
      await waitUntil('the use to be written down', () => lastUse());
      await running.module.close();
      jest.useRealTimers();
    });

    it('whatever other companies have under way: they come last the next time', async () => {
      const impatient = { DATABASE_TENANT_CONNECTIONS: '1', DATABASE_CONNECT_TIMEOUT_MS: '700' };
      const busyPod = await fixture.pod(impatient);
      const database = busyPod.module.get(TenantDatabase);
      const uses = busyPod.module.get(KeyUses);
      const busy = await fixture.administration.createCompany({ name: 'Busy' });
      const busyToo = await fixture.administration.createCompany({ name: 'Busy too' });
      const idle = await fixture.administration.createCompany({ name: 'Idle' });
      const companies = [busy, busyToo, idle];
      const use = ({ apiKey }: typeof company) => busyPod.authenticator.identify(bearing(apiKey));
      /** Takes all connections that the company may have. */
      const occupy = async ({ companyId }: typeof company) => {
        const begun = Promise.withResolvers<void>();
        const ended = Promise.withResolvers<void>();
        const work = database.transaction(mintTenantScope(companyId), () => {
          begun.resolve();
          return ended.promise;
        });
        await begun.promise;
        return async () => {
          ended.resolve();
          await work;
        };
      };
      const written = async () =>
        (await Promise.all(companies.map((of) => lastUse(of)))).map((at) => at !== undefined);

      const freed = await occupy(busy);
      await use(busy);
      await use(idle);
      await uses.flush();
      // Mutation: the first failure ends it.
      expect(await written()).toEqual([false, false, true]);
      await freed();
      await uses.flush();
      expect(await written()).toEqual([true, false, true]);

      await fixture.database.query('UPDATE api_keys SET last_used_at = NULL');
      const ends = [await occupy(busy), await occupy(busyToo)];
      for (const of of companies) await use(of);
      await uses.flush();
      // Two in a row may be the database itself, and nobody else is tried.
      expect(await written()).toEqual([false, false, false]);
      await Promise.all([busy, busyToo].map(use));
      await uses.flush();
      expect(await written()).toEqual([false, false, true]);
      await Promise.all(ends.map((end) => end()));
      await uses.flush();
      expect(await written()).toEqual([true, true, true]);
    });
  });
});
