import { randomUUID } from 'node:crypto';
import { AdministrationTrail } from '@outcomes/audit';
import { DAY_MS } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil } from '@outcomes/testing';
import { authFixture, refusalOf, type AuthFixture } from '../../test/auth-fixture';

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

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'x\0' }, 'name'],
    [{ name: 'x\u001b[2J' }, 'name'],
    [{ name: 'x\ny' }, 'name'],
    [{ name: 'x', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ name: 'x', timeZone: '+02:00' }, 'timeZone'],
    [{ name: 'x', portalId: '' }, 'portalId'],
    [{ name: 'x', portalId: 'two words' }, 'portalId'],
    [{ name: 'x', contact: 'ops' }, 'contact'],
    [{ name: 'x', contact: 'a@example.com,b@example.com' }, 'contact'],
    [{ name: 'x', contact: `${'x'.repeat(250)}@example.com` }, 'contact'],
  ])('refuses a company like %j', async (input, parameter) => {
    expect(await refusalOf(fixture.administration.createCompany(input))).toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter,
    });
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

  it.each([
    [{ expiresDays: 0 }],
    [{ expiresDays: 91 }],
    [{ expiresDays: 1.5 }],
    [{ burstLimit: 0 }],
    [{ monthlyQuota: 2 ** 31 }],
    [{ permissions: [] }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'x\u0007' }],
    [{ contact: 'ops@' }],
  ])('refuses a key like %j', async (input) => {
    const { scope } = await newCompany('Refused');
    expect(await refusalOf(fixture.administration.createKey(scope, input))).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
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
    expect(await refusalOf(fixture.administration.revokeKey(`' OR true --`))).toEqual(missing);
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

  it('revokes twice without a change', async () => {
    const { keyId } = await newCompany('Twice');
    const first = await fixture.administration.revokeKey(keyId);
    expect(await fixture.administration.revokeKey(keyId)).toEqual(first);
  });
});
