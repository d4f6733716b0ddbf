import { createHash, randomUUID } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import { Management, REDIS, type Redis } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { inForm, waitUntil } from '@outcomes/testing';
import { authFixture, refusalOf, type AuthFixture, type AuthPod } from '../../test/auth-fixture';
import { createBootstrapCredential } from '../bootstrap/bootstrap-credentials';
import { KeyEvents } from '../keys/key-events.service';
import { KeyForm } from '../keys/key-form';

const form = new KeyForm('svc');
/** Of 50 keys, one of them good. */
const ROUNDS = inForm(5, 20);
let address = 0;
/** An address that no other test used. */
const freshIp = () => `198.51.${(address += 1) >> 8}.${address & 255}`;

describe('authentication', () => {
  let fixture: AuthFixture;
  let pod: AuthPod;
  let other: AuthPod;
  let company: { companyId: string; keyId: string; apiKey: string };
  let operations: string;
  let partner: string;
  let single: string;

  const present = (token: string, ip = freshIp(), at = pod) =>
    at.authenticator.authenticate({ authorization: `Bearer ${token}`, ip });

  beforeAll(async () => {
    fixture = await authFixture();
    company = await fixture.administration.createCompany({ name: 'Acme', portalId: 'portal-1' });
    const all = createBootstrapCredential({
      id: 'operations',
      tenants: '*',
      permissions: ['analytics_read'],
    });
    const few = createBootstrapCredential({ id: 'partner', tenants: [company.companyId, randomUUID()] });
    const one = createBootstrapCredential({ id: 'single', tenants: [company.companyId] });
    if ('faults' in all || 'faults' in few || 'faults' in one) throw new Error('bootstrap');
    operations = all.token;
    partner = few.token;
    single = one.token;
    const bootstrap = { BOOTSTRAP_CREDENTIALS: `[${all.config},${few.config},${one.config}]` };
    pod = await fixture.pod(bootstrap);
    other = await fixture.pod(bootstrap);
  });

  afterAll(() => fixture.stop());

  it('a self-serve key is its company, with its permissions and limits', async () => {
    const principal = await present(company.apiKey);
    expect(principal).toMatchObject({
      kind: 'self_serve',
      companyId: company.companyId,
      scope: { companyId: company.companyId },
      keyId: company.keyId,
      portalId: null,
      permissions: ['analytics_read', 'events_write', 'events_delete'],
      burstLimit: 200,
      ingestBurstLimit: 2000,
      monthlyQuota: 1000,
      actor: { type: 'api_key', id: company.keyId },
    });
    expect(principal.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 89 * DAY_MS);
  });

  it('a key with limits and permissions of its own carries them', async () => {
    const { companyId } = await fixture.administration.createCompany({ name: 'Narrow' });
    const key = await fixture.administration.createKey(mintTenantScope(companyId), {
      permissions: ['events_write'],
      burstLimit: 7,
      monthlyQuota: 9,
    });
    expect(await present(key.apiKey)).toMatchObject({
      permissions: ['events_write'],
      burstLimit: 7,
      ingestBurstLimit: 7,
      monthlyQuota: 9,
    });
  });

  describe('the six reasons', () => {
    it('INVALID_FORMAT: wrong form or checksum', async () => {
      const last = company.apiKey.endsWith('0') ? '1' : '0';
      for (const token of ['svc_nonsense', company.apiKey.slice(0, -1) + last]) {
        expect(await refusalOf(present(token))).toMatchObject({
          code: 'self_serve_auth_failed',
          status: 401,
          reason: 'INVALID_FORMAT',
        });
      }
    });

    it('TOKEN_NOT_FOUND: an unknown key id', async () => {
      expect(await refusalOf(present(form.generate().apiKey))).toMatchObject({ reason: 'TOKEN_NOT_FOUND' });
    });

    it('TOKEN_INVALID: a known key id, a wrong secret, whatever the state of the key', async () => {
      const { companyId, keyId, apiKey } = await fixture.administration.createCompany({ name: 'States' });
      const wrong = form.format(keyId, form.generate().secret);
      expect(await refusalOf(present(wrong))).toMatchObject({ reason: 'TOKEN_INVALID' });
      await fixture.administration.revokeKey(keyId, mintTenantScope(companyId));
      await waitUntil('the revocation', async () => (await refusalOf(present(apiKey))).code !== 'NONE');
      // Mutation: the state decided before the secret tells a stranger that the key was revoked.
      expect(await refusalOf(present(wrong))).toMatchObject({ reason: 'TOKEN_INVALID' });
    });

    it('and the same of a key that this address was let in with before', async () => {
      const { keyId, apiKey } = await fixture.administration.createKey(mintTenantScope(company.companyId));
      const ip = freshIp();
      for (let n = 0; n < 3; n += 1) expect(await present(apiKey, ip)).toMatchObject({ keyId });
      const reasonOf = (token: string) => refusalOf(present(token, ip));
      const otherChecksum = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
      expect(await reasonOf(otherChecksum)).toMatchObject({ reason: 'INVALID_FORMAT' });
      expect(await reasonOf(`${apiKey}0`)).toMatchObject({ reason: 'INVALID_FORMAT' });
      expect(await reasonOf(form.format(keyId, 'x'.repeat(32)))).toMatchObject({ reason: 'TOKEN_INVALID' });
      expect(await present(apiKey, ip)).toMatchObject({ keyId });
    });

    it('TOKEN_INACTIVE: the right secret of a revoked key', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Revoked' });
      await fixture.administration.revokeKey(keyId);
      expect(await refusalOf(present(apiKey))).toMatchObject({ reason: 'TOKEN_INACTIVE' });
    });

    it('TOKEN_EXPIRED: the right secret after its last day, also where the key is cached', async () => {
      const { companyId } = await fixture.administration.createCompany({ name: 'Expired' });
      const { apiKey, keyId } = await fixture.administration.createKey(mintTenantScope(companyId), {
        expiresDays: 1,
      });
      await present(apiKey);
      await fixture.database.query(
        `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE key_id = $1`,
        [keyId],
      );
      expect(await refusalOf(present(apiKey, freshIp(), other))).toMatchObject({ reason: 'TOKEN_EXPIRED' });
      const cached = await fixture.administration.createKey(mintTenantScope(companyId), { expiresDays: 1 });
      await present(cached.apiKey);
      fixture.clock.advance(DAY_MS);
      expect(await refusalOf(present(cached.apiKey))).toMatchObject({ reason: 'TOKEN_EXPIRED' });
      fixture.clock.advance(-DAY_MS);
    });

    it('TOKEN_LOCKED: the right secret after 20 wrong ones, except where it was used within a day', async () => {
      const { companyId, keyId, apiKey } = await fixture.administration.createCompany({ name: 'Locked' });
      const customer = freshIp();
      const stranger = freshIp();
      await present(apiKey, customer);
      const wrong = form.format(keyId, form.generate().secret);
      for (let n = 0; n < 19; n += 1) await refusalOf(present(wrong, freshIp(), n % 2 ? pod : other));
      expect(await refusalOf(present(apiKey, freshIp()))).toMatchObject({ code: 'NONE' });
      expect(await refusalOf(present(wrong, freshIp()))).toMatchObject({ reason: 'TOKEN_INVALID' });
      for (const at of [pod, other]) {
        await waitUntil('the lock', async () => {
          const refusal = await refusalOf(present(apiKey, freshIp(), at));
          return 'reason' in refusal && refusal.reason === 'TOKEN_LOCKED';
        });
      }
      expect(await refusalOf(present(wrong, stranger))).toMatchObject({ reason: 'TOKEN_INVALID' });
      const [locked] = await fixture.database.query(
        'SELECT actor_type, subject FROM administration_log WHERE company_id = $1 ORDER BY entry_no DESC LIMIT 1',
        [companyId],
      );
      expect(locked).toEqual({ actor_type: 'service', subject: keyId });
      // Mutation: a lock without memory of good addresses lets any stranger shut a customer out.
      expect(await refusalOf(present(apiKey, customer))).toMatchObject({ code: 'NONE' });
      fixture.clock.advance(15 * 60_000);
      expect(await refusalOf(present(apiKey, freshIp()))).toMatchObject({ code: 'NONE' });
      fixture.clock.advance(-15 * 60_000);
    });
  });

  describe('the failure throttle', () => {
    it('answers exactly 5 of 50 concurrent failures with 401, over two pods', async () => {
      const { keyId } = await fixture.administration.createCompany({ name: 'Guessed' });
      for (const token of [
        form.format(keyId, form.generate().secret),
        form.generate().apiKey,
        'no-such-token',
      ]) {
        const ip = freshIp();
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) => refusalOf(present(token, ip, n % 2 ? pod : other))),
        );
        // Mutation: read, decide, then write; failure-throttle.int-spec.ts sees it let more through.
        expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
        expect(answers.filter(({ code }) => code === 'TOO_MANY_FAILED_ATTEMPTS')).toHaveLength(45);
      }
    });

    it('refuses the sixth attempt even with the right secret, on every pod, and no other address or key', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Throttled' });
      const ip = freshIp();
      await present(apiKey, ip);
      await present(apiKey, ip, other);
      const wrong = form.format(keyId, form.generate().secret);
      for (let n = 0; n < 5; n += 1) {
        expect(await refusalOf(present(wrong, ip))).toMatchObject({ reason: 'TOKEN_INVALID' });
      }
      expect(await refusalOf(present(apiKey, ip))).toMatchObject({
        code: 'TOO_MANY_FAILED_ATTEMPTS',
        status: 429,
        headers: { 'Retry-After': '3600' },
      });
      await waitUntil(
        'the other pod to know',
        async () => (await refusalOf(present(apiKey, ip, other))).code === 'TOO_MANY_FAILED_ATTEMPTS',
        1_000,
      );
      expect(await refusalOf(present(apiKey, freshIp()))).toMatchObject({ code: 'NONE' });
      expect(await refusalOf(present(company.apiKey, ip))).toMatchObject({ code: 'NONE' });
    });

    it('counts what has no valid form as well', async () => {
      const ip = freshIp();
      const answers: string[] = [];
      for (let n = 0; n < 7; n += 1) answers.push((await refusalOf(present('svc_garbage', ip))).code);
      expect(answers).toEqual([
        ...Array.from({ length: 5 }, () => 'self_serve_auth_failed'),
        'TOO_MANY_FAILED_ATTEMPTS',
        'TOO_MANY_FAILED_ATTEMPTS',
      ]);
    });

    it('counts the right secret of a key that is over as well, and no lock comes of that', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Over' });
      await fixture.administration.revokeKey(keyId);
      const ip = freshIp();
      const refusals = [];
      for (let n = 0; n < 6; n += 1) refusals.push(await refusalOf(present(apiKey, ip)));
      expect(refusals.slice(0, 5)).toEqual(
        Array(5).fill(expect.objectContaining({ reason: 'TOKEN_INACTIVE' })),
      );
      expect(refusals[5]).toMatchObject({ code: 'TOO_MANY_FAILED_ATTEMPTS' });
      for (let n = 0; n < 20; n += 1) await refusalOf(present(apiKey));
      const [{ locked }] = (await fixture.database.query<{ locked: boolean }>(
        'SELECT locked_until IS NOT NULL AS locked FROM api_keys WHERE key_id = $1',
        [keyId],
      )) as [{ locked: boolean }];
      expect(locked).toBe(false);
    });

    it('does not count refused attempts toward the lock of a key', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Insisted' });
      const ip = freshIp();
      const wrong = form.format(keyId, form.generate().secret);
      for (let n = 0; n < 30; n += 1) await refusalOf(present(wrong, ip));
      expect(await refusalOf(present(apiKey))).toMatchObject({ code: 'NONE' });
    });
  });

  it('tells operators what was refused, and of what was let in nothing', async () => {
    const counter = pod.module.get(Management).registry.getSingleMetric('outcomes_credentials_refused_total');
    const counted = async () =>
      Object.fromEntries(
        ((await counter?.get())?.values ?? []).map(({ labels, value }) => [labels.reason, value]),
      );
    const before = await counted();
    await present(company.apiKey);
    await refusalOf(pod.authenticator.identify({ ip: freshIp() }));
    await refusalOf(present('svc_nonsense'));
    expect(await counted()).toEqual({
      ...before,
      missing_token: (before['missing_token'] ?? 0) + 1,
      INVALID_FORMAT: (before['INVALID_FORMAT'] ?? 0) + 1,
    });
  });

  describe('what it costs', () => {
    it('a checksum mismatch costs no Redis and no database call', async () => {
      const redis = jest.spyOn(pod.module.get<Redis>(REDIS), 'sendCommand');
      const database = jest.spyOn(pod.module.get(TenantDatabase), 'unscoped');
      await refusalOf(present('svc_garbage'));
      await refusalOf(present(form.generate().apiKey.slice(0, -8) + '00000000'));
      expect(redis).not.toHaveBeenCalled();
      expect(database).not.toHaveBeenCalled();
      jest.restoreAllMocks();
    });

    it('a key is looked up once per pod in ten seconds, also by 100 at once, and then costs no call at all', async () => {
      const { apiKey } = await fixture.administration.createCompany({ name: 'Cached' });
      const database = jest.spyOn(pod.module.get(TenantDatabase), 'unscoped');
      const ip = freshIp();
      await Promise.all(Array.from({ length: 100 }, () => present(apiKey, ip)));
      expect(database).toHaveBeenCalledTimes(1);
      const redis = jest.spyOn(pod.module.get<Redis>(REDIS), 'sendCommand');
      for (let n = 0; n < 100; n += 1) await present(apiKey, ip);
      expect(database).toHaveBeenCalledTimes(1);
      expect(redis).not.toHaveBeenCalled();
      jest.restoreAllMocks();
    });

    it('unknown keys are remembered too', async () => {
      const { apiKey } = form.generate();
      const database = jest.spyOn(pod.module.get(TenantDatabase), 'unscoped');
      for (let n = 0; n < 4; n += 1) await refusalOf(present(apiKey));
      expect(database).toHaveBeenCalledTimes(1);
      jest.restoreAllMocks();
    });
  });

  describe('revocation', () => {
    it('is seen by every pod within a second', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Short' });
      await present(apiKey, freshIp(), pod);
      await present(apiKey, freshIp(), other);
      await fixture.administration.revokeKey(keyId);
      for (const at of [pod, other]) {
        // Mutation: without the message this takes the ten seconds of the cache.
        await waitUntil(
          'the revocation',
          async () => (await refusalOf(present(apiKey, freshIp(), at))).code !== 'NONE',
          1_000,
        );
      }
    });

    it('is seen within ten seconds where the message is lost', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Lost message' });
      await present(apiKey);
      await fixture.database.query(`UPDATE api_keys SET revoked_at = now() WHERE key_id = $1`, [keyId]);
      expect(await refusalOf(present(apiKey))).toMatchObject({ code: 'NONE' });
      // Caches go by the machine's own clock.
      const machineNow = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => machineNow() + 10_000);
      await waitUntil(
        'the cache to forget',
        async () => (await refusalOf(present(apiKey))).code !== 'NONE',
        1_000,
      );
      jest.restoreAllMocks();
    });

    it('cannot be overtaken by a look-up that read the key before it', async () => {
      const { keyId, apiKey } = await fixture.administration.createCompany({ name: 'Race' });
      const database = pod.module.get(TenantDatabase);
      const read = database.unscoped.bind(database);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let hasRead = false;
      jest.spyOn(database, 'unscoped').mockImplementationOnce(async (scope, work) => {
        const row = await read(scope, work);
        hasRead = true;
        await held;
        return row;
      });
      const looking = refusalOf(present(apiKey));
      await waitUntil('the key to be read', () => hasRead);
      const told = new Promise<void>((resolve) =>
        pod.module.get(KeyEvents).on('changed', (changed) => {
          if (changed === keyId) resolve();
        }),
      );
      await fixture.administration.revokeKey(keyId);
      await told;
      release();
      expect(await looking).toMatchObject({ code: 'NONE' });
      // Mutation: keeping what was read would let the key in for ten more seconds.
      expect(await refusalOf(present(apiKey))).toMatchObject({ reason: 'TOKEN_INACTIVE' });
      jest.restoreAllMocks();
    });
  });

  describe('bootstrap credentials', () => {
    const presentAll = (token: string, tenant: object) =>
      pod.authenticator.authenticate({ authorization: `Bearer ${token}`, ip: freshIp(), ...tenant });

    it('act for the tenant that is named', async () => {
      expect(await presentAll(operations, { tenantId: company.companyId.toUpperCase() })).toMatchObject({
        kind: 'bootstrap',
        companyId: company.companyId,
        keyId: 'operations',
        portalId: null,
        permissions: ['analytics_read'],
      });
    });

    it('act for the company that holds the portal, and only then portalId is set', async () => {
      expect(await presentAll(operations, { portalId: 'portal-1' })).toMatchObject({
        kind: 'portal',
        companyId: company.companyId,
        portalId: 'portal-1',
      });
      expect(await presentAll(company.apiKey, { portalId: 'portal-1' })).toMatchObject({ portalId: null });
    });

    it('of one tenant need name none', async () => {
      const actor = { actorType: 'agent', actorId: 'sdr-7' };
      expect(await presentAll(single, actor)).toEqual({
        ...{ kind: 'bootstrap', keyId: 'single', portalId: null, expiresAt: null },
        ...{ companyId: company.companyId, scope: { companyId: company.companyId } },
        permissions: ['analytics_read', 'events_write', 'events_delete'],
        bounds: { purpose: null, tools: null },
        ...{ burstLimit: 200, ingestBurstLimit: 2_000, monthlyQuota: 1_000 },
        actor: { type: 'agent', id: 'sdr-7' },
      });
    });

    it('have a tenant looked up once in ten seconds, by its id and by its portal', async () => {
      const { companyId } = await fixture.administration.createCompany({ name: 'Often', portalId: 'often' });
      const byId = jest.spyOn(pod.module.get(TenantDatabase), 'transaction');
      const byPortal = jest.spyOn(pod.module.get(TenantDatabase), 'unscoped');
      for (let n = 0; n < 3; n += 1) {
        await presentAll(operations, { portalId: 'often' });
        await presentAll(operations, { tenantId: companyId });
      }
      expect([byId.mock.calls.length, byPortal.mock.calls.length]).toEqual([1, 1]);
      jest.restoreAllMocks();
    });

    it('must name a tenant', async () => {
      for (const token of [operations, partner]) {
        expect(await refusalOf(presentAll(token, {}))).toMatchObject({
          code: 'TENANT_REQUIRED',
          status: 400,
        });
      }
    });

    it('answer alike for a tenant that is not theirs and one that does not exist', async () => {
      const foreign = await fixture.administration.createCompany({ name: 'Foreign', portalId: 'portal-2' });
      const answers = await Promise.all(
        [
          { tenantId: foreign.companyId },
          { tenantId: randomUUID() },
          { tenantId: `'; DROP TABLE companies; --` },
          { portalId: 'portal-2' },
          { portalId: 'no-such-portal' },
          { portalId: `x' OR 'a'='a` },
          { portalId: 'portal-1', tenantId: foreign.companyId },
        ].map((tenant) => refusalOf(presentAll(partner, tenant))),
      );
      for (const answer of answers) expect(answer).toEqual({ code: 'Forbidden', status: 403, headers: {} });
      for (const tenant of [
        { tenantId: randomUUID() },
        { tenantId: `${company.companyId}0` },
        { tenantId: `0${company.companyId}` },
        { tenantId: '' },
        { portalId: '' },
        { portalId: 'portal-1\0' },
        { portalId: '\0portal-1' },
      ])
        expect(await refusalOf(presentAll(operations, tenant))).toMatchObject({ code: 'Forbidden' });
    });

    it('that are not configured are invalid_token', async () => {
      expect(await refusalOf(present('bootstrap-unknown'))).toMatchObject({
        code: 'invalid_token',
        status: 401,
      });
    });

    it('a self-serve key that names another tenant is Forbidden, and its own is fine', async () => {
      expect(await refusalOf(presentAll(company.apiKey, { tenantId: randomUUID() }))).toMatchObject({
        code: 'Forbidden',
      });
      expect(await presentAll(company.apiKey, { tenantId: company.companyId })).toMatchObject({
        companyId: company.companyId,
      });
    });
  });

  it(`after ${ROUNDS * 50} keys, good and bad, no database row and no Redis value holds a secret or a token`, async () => {
    const { companyId } = await fixture.administration.createCompany({ name: 'Canary' });
    const secrets: string[] = [];
    const presentOne = async (n: number) => {
      const { apiKey, secret, keyId } = form.generate();
      secrets.push(apiKey, secret);
      if (n % 50 === 0) {
        await fixture.database.query(
          `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, expires_at)
           VALUES ($1, $2, $3, '{analytics_read}', now() + interval '1 day')`,
          [companyId, keyId, createHash('sha256').update(secret).digest()],
        );
      }
      await refusalOf(present(apiKey, '203.0.113.9'));
    };
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all(Array.from({ length: 50 }, (_, n) => presentOne(n)));
    const dump = JSON.stringify([
      await fixture.database.query('SELECT * FROM api_keys'),
      await fixture.database.query('SELECT * FROM companies'),
      await redisDump(fixture),
    ]);
    expect(secrets.filter((secret) => dump.includes(secret))).toEqual([]);
  });
});

async function redisDump({ redis, prefix }: AuthFixture): Promise<unknown[]> {
  const keys = await redis.keys(`*${prefix.slice(1, -1)}*`);
  return Promise.all(
    keys.map(async (key) => [
      key,
      (await redis.type(key)) === 'string' ? (await redis.getBuffer(key))?.toString('latin1') : undefined,
      (await redis.type(key)) === 'list' ? await redis.lrange(key, 0, -1) : undefined,
      (await redis.type(key)) === 'zset' ? await redis.zrange(key, 0, -1) : undefined,
    ]),
  );
}
