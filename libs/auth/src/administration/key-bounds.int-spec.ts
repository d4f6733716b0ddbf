import { LOGGER, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { authFixture, refusalOf, type AuthFixture, type AuthPod } from '../../test/auth-fixture';
import { KeyForm } from '../keys/key-form';
import { KeyUses } from '../keys/key-uses.service';
import type { NewKey } from './key-description';

describe('keys that are bound', () => {
  let fixture: AuthFixture;
  let pod: AuthPod;

  beforeAll(async () => {
    fixture = await authFixture();
    pod = await fixture.pod();
  });
  afterAll(() => fixture.stop());

  const newKey = async (input: NewKey) => {
    const { companyId, keyId } = await fixture.administration.createCompany({ name: 'Bound' });
    const scope = mintTenantScope(companyId);
    await fixture.administration.revokeKey(keyId, scope);
    return { scope, ...(await fixture.administration.createKey(scope, input)) };
  };
  const present = (apiKey: string, ip: string) =>
    pod.authenticator.authenticate({ authorization: `Bearer ${apiKey}`, ip });
  const listed = async (scope: Awaited<ReturnType<typeof newKey>>['scope']) =>
    (await fixture.administration.listKeys(scope))[0];

  it.each([
    [{ purpose: 'agent' }, ['analytics_read'], { purpose: 'agent', tools: null }],
    [{ purpose: 'read' }, ['analytics_read'], { purpose: 'read', tools: null }],
    [{ purpose: 'ingest' }, ['events_write', 'events_delete'], { purpose: 'ingest', tools: null }],
    [
      { purpose: 'ingest', permissions: ['events_write'] },
      ['events_write'],
      { purpose: 'ingest', tools: null },
    ],
    [
      { purpose: 'agent', tools: ['get_drift_state', 'get_drift_state'] },
      ['analytics_read'],
      { purpose: 'agent', tools: ['get_drift_state'] },
    ],
    [{}, ['analytics_read', 'events_write', 'events_delete'], { purpose: null, tools: null }],
  ] as const)('for %j may do %j', async (input, permissions, bounds) => {
    const { scope, apiKey } = await newKey(input);
    expect(await present(apiKey, '192.0.2.1')).toMatchObject({ permissions, bounds });
    expect(await listed(scope)).toMatchObject({ permissions, ...bounds });
  });

  it('to networks are refused from everywhere else, as failures of that address, and work from within', async () => {
    const { apiKey, scope } = await newKey({ networks: ['192.0.2.0/24', '2001:db8::/48'] });
    expect(await present(apiKey, '192.0.2.44')).toMatchObject({ companyId: scope.companyId });
    expect(await present(apiKey, '2001:db8:0:7::/64')).toMatchObject({ companyId: scope.companyId });
    const refusals = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      refusals.push((await refusalOf(present(apiKey, '198.51.100.1'))).code);
    expect(refusals).toEqual([...Array(5).fill('Forbidden'), 'TOO_MANY_FAILED_ATTEMPTS']);
    expect(await present(apiKey, '192.0.2.44')).toMatchObject({ companyId: scope.companyId });
  });

  it('to networks leave in the log which of which company was used elsewhere, and not from where', async () => {
    const { apiKey, keyId, scope } = await newKey({ networks: ['192.0.2.0/24'] });
    const warn = jest.spyOn(pod.module.get<Logger>(LOGGER), 'warn');
    await refusalOf(present(apiKey, '198.51.100.2'));
    const { calls } = warn.mock;
    warn.mockRestore();
    expect(calls).toEqual([
      [{ keyId, companyId: scope.companyId }, 'a key was refused outside its networks'],
    ]);
  });

  it('to networks tell a stranger nothing: a wrong secret is wrong wherever it comes from', async () => {
    const { apiKey, keyId } = await newKey({ networks: ['192.0.2.0/24'] });
    const other = await newKey({});
    const form = new KeyForm('svc');
    const wrong = form.format(keyId, form.generate().secret);
    expect(await refusalOf(present(wrong, '198.51.100.2'))).toMatchObject({ reason: 'TOKEN_INVALID' });
    expect(await present(other.apiKey, '198.51.100.2')).toMatchObject({ keyId: other.keyId });
    await expect(present(apiKey, '198.51.100.2')).rejects.toMatchObject({
      ...{ code: 'Forbidden', message: expect.stringContaining('address') },
    });
  });

  describe('say when they were used last', () => {
    const uses = () => pod.module.get(KeyUses);
    const versionsOf = (companyId: string) =>
      fixture.database.query('SELECT xmin FROM api_keys WHERE company_id = $1 ORDER BY key_id', [companyId]);

    it('to the minute, and write once for many requests', async () => {
      const { apiKey, scope } = await newKey({});
      expect((await listed(scope))?.lastUsedAt).toBeNull();
      const began = Date.now();
      for (let request = 0; request < 5; request += 1) await present(apiKey, '192.0.2.1');
      await uses().flush();
      const first = (await listed(scope))?.lastUsedAt;
      expect(first?.getTime()).toBeGreaterThanOrEqual(began);
      const before = await versionsOf(scope.companyId);
      // Another pod's write within the minute changes nothing.
      await present(apiKey, '192.0.2.1');
      await uses().flush();
      expect(await versionsOf(scope.companyId)).toEqual(before);
      fixture.clock.advance(120_000);
      await present(apiKey, '192.0.2.1');
      await uses().flush();
      fixture.clock.advance(-120_000);
      expect((await listed(scope))?.lastUsedAt?.getTime()).toBeGreaterThan((first?.getTime() ?? 0) + 60_000);
    });

    it('not where they were refused', async () => {
      const { apiKey, scope } = await newKey({ networks: ['192.0.2.0/24'] });
      await refusalOf(present(apiKey, '198.51.100.3'));
      await uses().flush();
      expect((await listed(scope))?.lastUsedAt).toBeNull();
    });

    it('also where the database was away for a while', async () => {
      const { apiKey, scope } = await newKey({});
      await present(apiKey, '192.0.2.1');
      const away = jest
        .spyOn(pod.module.get(TenantDatabase), 'transaction')
        .mockRejectedValue(new Error('away'));
      await uses().flush();
      away.mockRestore();
      expect((await listed(scope))?.lastUsedAt).toBeNull();
      await uses().flush();
      expect((await listed(scope))?.lastUsedAt).not.toBeNull();
    });
  });
});
