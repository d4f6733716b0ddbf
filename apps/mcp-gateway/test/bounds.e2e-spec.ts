import { documentOf, shareGateway, type SharedGateway } from './gateway-fixture';

const ONE_TOOL = { purpose: 'agent', tools: ['get_drift_state'] };

describe('keys that are bound', () => {
  let gateway: SharedGateway;
  beforeAll(async () => {
    gateway = await shareGateway();
  });
  afterAll(() => gateway?.stop());

  it('to some tools list those, call those, and leave a row for every other', async () => {
    const { companyId, apiKey } = await gateway.addTenant({ name: 'Bound', bounds: ONE_TOOL });
    const listed = await gateway.rpc(apiKey, 'tools/list');
    expect(listed.body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['get_drift_state']);

    const allowed = await gateway.call(apiKey, 'get_drift_state', {});
    expect(allowed.body.result.isError).toBeUndefined();
    const denied = await gateway.call(apiKey, 'get_bandit_state', {});
    expect(denied.body.result.isError).toBe(true);
    expect(documentOf(denied)).toMatchObject({ tenant_id: companyId, error: { code: 'permission_denied' } });
    expect(denied.text).not.toContain('arms');
    expect(await gateway.auditRows(companyId)).toMatchObject([
      { tool: 'get_drift_state', status: 'success', error_type: null },
      {
        tool: 'get_bandit_state',
        status: 'error',
        error_type: 'permission_denied',
        requested_company_id: null,
      },
    ]);
  });

  it('to some tools are told no identifiers that only others take', async () => {
    const { companyId, apiKey } = await gateway.addTenant({ name: 'Told', bounds: ONE_TOOL });
    const other = await gateway.addKey(companyId);
    const complete = async (key: string) =>
      (
        await gateway.rpc(key, 'completion/complete', {
          ref: { type: 'ref/prompt', name: 'diagnose_campaign' },
          argument: { name: 'campaign_id', value: 'spring' },
        })
      ).body.result.completion.values;
    expect(await complete(apiKey)).toEqual([]);
    const rows = await gateway.auditRows(companyId);
    expect(rows).toHaveLength(0);
    await complete(other.apiKey);
    expect(await gateway.auditRows(companyId)).toMatchObject([{ tool: 'completion/complete' }]);
  });

  it('to the read API may not call', async () => {
    const { companyId, apiKey } = await gateway.addTenant({ name: 'Reports', bounds: { purpose: 'read' } });
    const answer = await gateway.rpc(apiKey, 'tools/call', { name: 'get_drift_state', arguments: {} });
    expect(answer.status).toBe(403);
    expect(await gateway.auditRows(companyId)).toMatchObject([{ error_type: 'permission_denied' }]);
  });
});
