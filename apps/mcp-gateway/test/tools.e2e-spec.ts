import { createHash } from 'node:crypto';
import { TOOL_NAMES, type ToolName } from '@outcomes/contracts';
import type { Tenant } from '@outcomes/testing';
import definitions from '../tool-definitions.json';
import { documentOf, shareGateway, type SharedGateway } from './gateway-fixture';
import { plantCompany } from './planted-data';

const ARGUMENTS: Partial<Record<ToolName, Record<string, unknown>>> = {
  get_campaign_health: { campaign_id: 'spring-launch' },
  get_recipient_intelligence: { contact_id: 'crm-00010' },
};

describe('the seven tools', () => {
  let gateway: SharedGateway;
  let full: Tenant;
  let empty: Tenant;

  beforeAll(async () => {
    gateway = await shareGateway();
    full = await gateway.addTenant({ name: 'Full', burst: 10_000, monthly: 10_000 });
    empty = await gateway.addTenant({ name: 'Empty' });
    await plantCompany(gateway.database, full.companyId);
  });

  afterAll(() => gateway?.stop());

  it('are listed as they are committed', async () => {
    const { body } = await gateway.rpc(full.apiKey, 'tools/list');
    expect(body.result).toEqual(definitions);
  });

  describe.each(TOOL_NAMES)('%s', (name) => {
    it.each(['full', 'empty'])('answers a company that is %s in the shape it promises', async (which) => {
      const { apiKey, companyId } = which === 'full' ? full : empty;
      const answer = await gateway.call(apiKey, name, ARGUMENTS[name]);
      const { structuredContent, isError } = answer.body.result;
      expect(isError).toBeUndefined();
      expect(structuredContent).toMatchObject({ schema_version: '1.0.0', tenant_id: companyId });
    });

    it('keeps a default answer within 8 KB', async () => {
      for (let call = 0; call < 20; call += 1) await gateway.call(full.apiKey, 'get_drift_state');
      const answer = await gateway.call(full.apiKey, name, ARGUMENTS[name]);
      expect(Buffer.byteLength(answer.body.result.content[0].text)).toBeLessThanOrEqual(8192);
    });

    it('has an audit row with the hashes that a caller can recompute', async () => {
      const answer = await gateway.call(full.apiKey, name, ARGUMENTS[name]);
      const row = (await gateway.auditRows(full.companyId)).at(-1);
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      expect(row).toMatchObject({
        tool: name,
        status: 'success',
        error_type: null,
        key_id: full.keyId,
        actor_type: 'api_key',
        actor_id: full.keyId,
        request_id: answer.headers.get('x-request-id'),
        input: sha256(JSON.stringify(ARGUMENTS[name] ?? {})),
        output: sha256(answer.body.result.content[0].text),
      });
    });

    it('answers for the own tenant where that is named', async () => {
      const given = { ...ARGUMENTS[name], tenant_id: full.companyId };
      expect(documentOf(await gateway.call(full.apiKey, name, given)).tenant_id).toBe(full.companyId);
    });
  });

  it('pages the audit log without gap or repetition', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const given = { limit: 7, status: 'success', until: '2100-01-01T00:00:00Z', ...(cursor && { cursor }) };
      const document = documentOf(await gateway.call(full.apiKey, 'get_action_audit_log', given));
      seen.push(...document.entries.map((entry: { entry_id: string }) => entry.entry_id));
      cursor = seen.length < 50 ? document.next_cursor : null;
    } while (cursor);
    expect(seen.length).toBeGreaterThanOrEqual(49);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('refuses a cursor that was made up, naming it', async () => {
    const answer = await gateway.call(full.apiKey, 'get_action_audit_log', { cursor: 'made-up' });
    expect(answer.body.result.isError).toBe(true);
    expect(documentOf(answer).error).toMatchObject({ code: 'invalid_arguments', field: 'cursor' });
  });

  it.each([
    ['contact_ids', { contact_id: 'anna', contact_ids: ['bert'] }],
    ['cursor', { contact_ids: ['bert'], cursor: 'x' }],
  ])('refuses %s where it would be passed over', async (field, given) => {
    const answer = await gateway.call(full.apiKey, 'get_workflow_decisions', given);
    expect(answer.body.result.isError).toBe(true);
    expect(documentOf(answer).error).toMatchObject({ code: 'invalid_arguments', field });
  });

  it('names the actor that the caller names', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_drift_state' },
    });
    await gateway.http(full.apiKey, body, { 'X-Actor-Type': 'agent', 'X-Actor-Id': 'planner-7' });
    expect((await gateway.auditRows(full.companyId)).at(-1)).toMatchObject({
      actor_type: 'agent',
      actor_id: 'planner-7',
      key_id: full.keyId,
    });
  });
});
