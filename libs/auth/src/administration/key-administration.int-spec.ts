import { randomUUID } from 'node:crypto';
import { AdministrationTrail } from '@outcomes/audit';
import { DAY_MS } from '@outcomes/contracts';
import { createRedis, LOGGER, SERVICE_CONFIG } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { freePort, waitUntil } from '@outcomes/testing';
import { authFixture, refusalOf, type AuthFixture } from '../../test/auth-fixture';
import { CompanySettingsAdministration } from './company-settings.service';
import { KeyAdministration } from './key-administration.service';

describe('key administration', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await authFixture();
  });
  afterAll(() => fixture.stop());

  const newCompany = async (name: string, contact?: string) => {
    const company = await fixture.administration.createCompany({ name, contact });
    return { ...company, scope: mintTenantScope(company.companyId) };
  };

  const activeKeys = async (scope: TenantScope) =>
    (await fixture.administration.listKeys(scope)).filter(({ state }) => state === 'active').length;

  it('creates a company with its first key, and lists it', async () => {
    const created = await fixture.administration.createCompany({
      name: ' Acme ',
      timeZone: 'Europe/Berlin',
      portalId: 'p-1',
    });
    expect(created).toMatchObject({ name: 'Acme', apiKey: expect.stringMatching(/^svc_/) });
    expect(await fixture.administration.listCompanies()).toContainEqual(
      expect.objectContaining({ companyId: created.companyId, timeZone: 'Europe/Berlin', portalId: 'p-1' }),
    );
  });

  it('refuses a company that cannot be one, and leaves none behind', async () => {
    const before = await fixture.administration.listCompanies();
    for (const [input, parameter] of [
      [{ name: '' }, 'name'],
      [{ name: 'x', contact: 'ops' }, 'contact'],
    ] as const) {
      expect(await refusalOf(fixture.administration.createCompany(input))).toMatchObject({
        code: 'INVALID_PARAMETER',
        parameter,
      });
    }
    expect(await fixture.administration.listCompanies()).toEqual(before);
  });

  it('refuses a portal id that another company has, and leaves no half company behind', async () => {
    await fixture.administration.createCompany({ name: 'First', portalId: 'taken' });
    expect(
      await refusalOf(fixture.administration.createCompany({ name: 'Second', portalId: 'taken' })),
    ).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'portalId' });
    expect(
      (await fixture.administration.listCompanies()).filter(({ name }) => name === 'Second'),
    ).toHaveLength(0);
  });

  it('leaves exactly 3 active keys after 50 concurrent creations', async () => {
    const { scope } = await newCompany('Crowd');
    const results = await Promise.all(
      Array.from({ length: 50 }, () => refusalOf(fixture.administration.createKey(scope))),
    );
    expect(results.filter(({ code }) => code === 'NONE')).toHaveLength(2);
    expect(results.filter(({ code }) => code === 'KEY_LIMIT_REACHED')).toHaveLength(48);
    expect(await activeKeys(scope)).toBe(3);
  });

  it('would leave more if it counted without a lock on the company: the mutation of the test above', async () => {
    const { scope } = await newCompany('Racing');
    let counted = 0;
    const transaction = TenantDatabase.prototype.transaction;
    const broken = jest.spyOn(TenantDatabase.prototype, 'transaction').mockImplementation(function (
      this: TenantDatabase,
      of,
      work,
    ) {
      const unlocked =
        ({ client }: TenantTransaction) =>
        async (text: unknown, values: unknown[]) => {
          if (typeof text !== 'string') return client.query(text as never);
          const result = await client.query(text.replace(' FOR UPDATE', ''), values);
          if (!text.includes('FROM api_keys')) return result;
          counted += 1;
          // As in a crowd: some have counted before the first of them inserts.
          await waitUntil('others to have counted', () => counted >= 4);
          return result;
        };
      return transaction.call(this, of, (open) =>
        work({ ...open, client: Object.assign(Object.create(open.client), { query: unlocked(open) }) }),
      );
    });
    await Promise.all(Array.from({ length: 50 }, () => refusalOf(fixture.administration.createKey(scope))));
    broken.mockRestore();
    expect(await activeKeys(scope)).toBeGreaterThan(3);
  });

  it('does not count expired and revoked keys as active', async () => {
    const { scope, keyId } = await newCompany('Renewed');
    await fixture.administration.createKey(scope, { expiresDays: 1 });
    await fixture.administration.createKey(scope);
    expect(await refusalOf(fixture.administration.createKey(scope))).toMatchObject({ status: 409 });
    await fixture.administration.revokeKey(keyId, scope);
    await fixture.administration.createKey(scope);
    fixture.clock.advance(DAY_MS);
    await fixture.administration.createKey(scope, { name: 'fresh' });
    const states = (await fixture.administration.listKeys(scope)).map(({ state }) => state).sort();
    expect(states).toEqual(['active', 'active', 'active', 'expired', 'revoked']);
    fixture.clock.advance(-DAY_MS);
  });

  it('gives a key 90 days and all permissions unless it is narrowed', async () => {
    const { scope } = await newCompany('Defaults');
    const [first] = await fixture.administration.listKeys(scope);
    expect(first).toMatchObject({ permissions: ['analytics_read', 'events_write', 'events_delete'] });
    expect((first?.expiresAt.getTime() ?? 0) - (first?.createdAt.getTime() ?? 0)).toBe(90 * DAY_MS);
  });

  it('refuses a key that cannot be one', async () => {
    const { scope } = await newCompany('Refused');
    for (const input of [{ expiresDays: 0 }, { contact: 'ops@' }]) {
      expect(await refusalOf(fixture.administration.createKey(scope, input))).toMatchObject({
        code: 'INVALID_PARAMETER',
      });
    }
    expect(await fixture.administration.listKeys(scope)).toHaveLength(1);
  });

  it('finds no company and no key that is not there, and treats another company key as such', async () => {
    const mine = await newCompany('Mine');
    const theirs = await newCompany('Theirs');
    const none = mintTenantScope(randomUUID());
    expect(await refusalOf(fixture.administration.createKey(none))).toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
    const foreign = await refusalOf(fixture.administration.revokeKey(theirs.keyId, mine.scope));
    const missing = await refusalOf(fixture.administration.revokeKey('0'.repeat(16), mine.scope));
    expect(foreign).toMatchObject({ code: 'KEY_NOT_FOUND' });
    expect(foreign).toEqual(missing);
    for (const nobody of ['0'.repeat(16), `' OR true --`])
      expect(await refusalOf(fixture.administration.revokeKey(nobody))).toEqual(missing);
    expect((await fixture.administration.listKeys(mine.scope)).map(({ keyId }) => keyId)).toEqual([
      mine.keyId,
    ]);
    expect(await fixture.administration.listKeys(theirs.scope)).toMatchObject([{ state: 'active' }]);
  });

  it('keeps whom to tell about a company and about a key, and changes it', async () => {
    const { scope } = await newCompany('Told', 'ops@example.com');
    const { keyId } = await fixture.administration.createKey(scope, { contact: ' team@example.com ' });
    expect(await fixture.administration.listContacts(scope)).toEqual([
      { keyId: null, email: 'ops@example.com' },
      { keyId, email: 'team@example.com' },
    ]);
    await fixture.administration.setContact(scope, null, 'new@example.com');
    await fixture.administration.setContact(scope, keyId, null);
    expect(await fixture.administration.listContacts(scope)).toEqual([
      { keyId: null, email: 'new@example.com' },
    ]);
  });

  it('keeps no contact for a company or key that is not there, or of another company', async () => {
    const mine = await newCompany('Contact A');
    const theirs = await newCompany('Contact B', 'b@example.com');
    const set = (scope: TenantScope, keyId: string | null) =>
      refusalOf(fixture.administration.setContact(scope, keyId, 'x@example.com'));
    expect(await set(mine.scope, theirs.keyId)).toMatchObject({ code: 'KEY_NOT_FOUND' });
    expect(await set(mine.scope, 'nonsense')).toMatchObject({ code: 'KEY_NOT_FOUND' });
    expect(await set(mintTenantScope(randomUUID()), null)).toMatchObject({ code: 'COMPANY_NOT_FOUND' });
    expect(await fixture.administration.listContacts(mine.scope)).toEqual([]);
  });

  it('writes down who did what, in the transaction of the deed and without personal data', async () => {
    const deed = { by: { type: 'user', id: 'user-7' }, requestId: 'request-1' } as const;
    const { administration } = fixture;
    const { companyId, keyId } = await administration.createCompany(
      { name: 'Logged', contact: 'ops@example.com' },
      deed,
    );
    const scope = mintTenantScope(companyId);
    const key = await administration.createKey(scope, { purpose: 'agent', networks: ['192.0.2.0/24'] }, deed);
    await administration.setContact(scope, key.keyId, 'a@example.com', deed);
    await administration.setContact(scope, key.keyId, null, deed);
    await administration.revokeKey(keyId, undefined, deed);
    await administration.revokeKey(keyId, scope, deed);
    await administration.createKey(scope);
    await administration.createKey(scope);
    expect(await refusalOf(administration.createKey(scope, {}, deed))).toMatchObject({
      code: 'KEY_LIMIT_REACHED',
    });
    const trail = new AdministrationTrail(fixture.administrators);
    const entries = (await trail.list(scope, { limit: 100 })).reverse();
    expect(entries.map(({ action, subject, by }) => [action, subject, by.id])).toEqual([
      ['company.create', null, 'user-7'],
      ['key.create', keyId, 'user-7'],
      ['key.create', key.keyId, 'user-7'],
      ['contact.set', key.keyId, 'user-7'],
      ['contact.remove', key.keyId, 'user-7'],
      ['key.revoke', keyId, 'user-7'],
      ['key.create', expect.any(String), 'outcomes'],
      ['key.create', expect.any(String), 'outcomes'],
    ]);
    expect(entries[2]).toMatchObject({
      requestId: 'request-1',
      details: { purpose: 'agent', permissions: ['analytics_read'], networks: ['192.0.2.0/24'], burst: null },
    });
    expect(JSON.stringify(entries)).not.toMatch(/example\.com|svc_/);
    expect(await trail.verify(scope)).toMatchObject({ entries: 8, intact: true });
  });

  it('keeps what a company says of itself, and writes down that it changed', async () => {
    const { scope } = await newCompany('Before');
    const settings = new CompanySettingsAdministration(fixture.clock, fixture.administrators);
    expect(await settings.read(scope)).toEqual({ name: 'Before', timeZone: 'UTC' });
    const deed = { by: { type: 'user', id: 'user-7' } } as const;
    const changed = { name: 'After', timeZone: 'Europe/Berlin' };
    expect(await settings.change(scope, { ...changed, name: ' After ' }, deed)).toEqual(changed);
    expect(await settings.read(scope)).toEqual(changed);
    const [entry] = await new AdministrationTrail(fixture.administrators).list(scope, { limit: 1 });
    expect(entry).toMatchObject({
      ...{ action: 'company.change_settings', subject: null, by: deed.by },
      details: { time_zone: 'Europe/Berlin' },
    });
    expect(await refusalOf(settings.change(scope, { ...changed, name: '' }))).toMatchObject({
      parameter: 'name',
    });
    expect(await settings.read(scope)).toEqual(changed);
    const none = mintTenantScope(randomUUID());
    for (const refused of [() => settings.read(none), () => settings.change(none, changed)])
      expect(await refusalOf(refused())).toMatchObject({ code: 'COMPANY_NOT_FOUND', status: 404 });
  });

  it('lists companies oldest first, and keys newest first', async () => {
    const { scope, keyId } = await newCompany('Earlier');
    fixture.clock.advance(60_000);
    const later = await newCompany('Later');
    const { keyId: second } = await fixture.administration.createKey(scope);
    fixture.clock.advance(-60_000);
    expect((await fixture.administration.listKeys(scope)).map((key) => key.keyId)).toEqual([second, keyId]);
    const companies = (await fixture.administration.listCompanies()).map(({ companyId }) => companyId);
    expect(companies.indexOf(scope.companyId)).toBeLessThan(companies.indexOf(later.companyId));
  });

  it('revokes twice without a change', async () => {
    const { keyId } = await newCompany('Twice');
    const first = await fixture.administration.revokeKey(keyId);
    expect(await fixture.administration.revokeKey(keyId)).toEqual(first);
  });

  it('revokes also while Redis is away: pods look at every key again within ten seconds', async () => {
    const { scope, keyId } = await newCompany('Untold');
    const { module } = await fixture.pod();
    const away = createRedis(
      { sentinels: [], url: `redis://127.0.0.1:${await freePort()}` },
      'away',
      () => undefined,
    );
    const administration = new KeyAdministration(
      ...([module.get(SERVICE_CONFIG), fixture.clock, module.get(LOGGER)] as const),
      ...([away, fixture.administrators] as const),
    );
    expect(await administration.revokeKey(keyId, scope)).toMatchObject({ keyId });
    away.disconnect();
    expect(await administration.listKeys(scope)).toMatchObject([{ keyId, state: 'revoked' }]);
  });
});
