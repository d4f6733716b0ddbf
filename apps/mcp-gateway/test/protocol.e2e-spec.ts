import { ALERT_CATALOGUE } from '@outcomes/contracts';
import type { Tenant } from '@outcomes/testing';
import { shareGateway, startGateway, type GatewayProcess, type SharedGateway } from './gateway-fixture';
import { plantCompany } from './planted-data';

const CLIENT = { capabilities: {}, clientInfo: { name: 'spec', version: '1' } };

describe('the protocol', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;
  const ask = async (method: string, params?: unknown, id?: unknown) =>
    (await gateway.rpc(tenant.apiKey, method, params, id)).body;

  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({ name: 'Acme' });
    await plantCompany(gateway.database, tenant.companyId);
  });

  afterAll(() => gateway?.stop());

  it('is 2025-11-25 where the client wants that', async () => {
    const { result } = await ask('initialize', { protocolVersion: '2025-11-25', ...CLIENT });
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      serverInfo: { name: 'outbound-outcome-intelligence', version: '1.0.0' },
    });
    expect(result.instructions).toMatch(/get_drift_state before/);
  });

  it.each(['2025-06-18', '2025-03-26', '2024-11-05'])('is %s for a client of that age', async (version) => {
    expect((await ask('initialize', { protocolVersion: version, ...CLIENT })).result.protocolVersion).toBe(
      version,
    );
  });

  it('is the latest for a client from the future', async () => {
    const { result } = await ask('initialize', { protocolVersion: '2099-01-01', ...CLIENT });
    expect(result.protocolVersion).toBe('2025-11-25');
  });

  it('needs no session: any method may come first', async () => {
    const answer = await gateway.rpc(tenant.apiKey, 'tools/list');
    expect(answer.body.result.tools).toHaveLength(7);
    expect(answer.headers.has('mcp-session-id')).toBe(false);
  });

  it.each(['text', 0, -5, '', 'ünï'])('gives the id %j back', async (id) => {
    expect((await ask('ping', {}, id)).id).toBe(id);
  });

  it('keeps 100 concurrent answers with one id apart', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `contact-${index}`);
    const answers = await Promise.all(
      names.map((contact_id) =>
        ask('prompts/get', { name: 'brief_on_contact', arguments: { contact_id } }, 1),
      ),
    );
    answers.forEach(({ result }, index) =>
      expect(result.messages[0].content.text).toContain(`"contact-${index}"`),
    );
  });

  it('does not let one caller cancel the request of another', async () => {
    const cancel = (requestId: number) =>
      gateway.http(
        tenant.apiKey,
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      );
    const params = {
      ref: { type: 'ref/prompt', name: 'diagnose_campaign' },
      argument: { name: 'campaign_id', value: '' },
    };
    const calls = Array.from({ length: 20 }, () => gateway.rpc(tenant.apiKey, 'completion/complete', params));
    await Promise.all(Array.from({ length: 300 }, (_, id) => cancel(id)));
    expect((await Promise.all(calls)).every(({ body }) => body.result)).toBe(true);
  });

  describe('resources', () => {
    it('are three, and each can be read', async () => {
      const { result } = await ask('resources/list');
      expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
        'svc://reference/alerts',
        'svc://reference/freshness',
        'svc://reference/trust-model',
      ]);
      for (const { uri, mimeType, size } of result.resources) {
        const [content] = (await ask('resources/read', { uri })).result.contents;
        expect(content).toMatchObject({ uri, mimeType });
        expect(Buffer.byteLength(content.text)).toBe(size);
      }
    });

    it('name every alert code with severity, meaning and action', async () => {
      const { result } = await ask('resources/read', { uri: 'svc://reference/alerts' });
      const { alerts } = JSON.parse(result.contents[0].text);
      for (const [code, { severity, meaning, action }] of Object.entries(ALERT_CATALOGUE))
        expect([code, alerts[severity][code]]).toEqual([code, [meaning, action]]);
    });

    it('that do not exist are -32002, and there are no templates', async () => {
      expect((await ask('resources/read', { uri: 'svc://reference/nope' })).error.code).toBe(-32002);
      expect((await ask('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    });
  });

  describe('prompts', () => {
    it('are four, with their arguments', async () => {
      const { result } = await ask('prompts/list');
      const named = result.prompts.map((prompt: { name: string; arguments: { name: string }[] }) => [
        prompt.name,
        ...prompt.arguments.map(({ name }) => name),
      ]);
      expect(named).toEqual([
        ['diagnose_campaign', 'campaign_id'],
        ['assess_data_trust'],
        ['brief_on_contact', 'contact_id'],
        ['plan_today'],
      ]);
    });

    it('that do not exist, or lack their argument, are -32602', async () => {
      expect((await ask('prompts/get', { name: 'nope' })).error.code).toBe(-32602);
      expect((await ask('prompts/get', { name: 'brief_on_contact' })).error.code).toBe(-32602);
      expect((await ask('prompts/get', {})).error.code).toBe(-32602);
    });
  });

  describe('completions', () => {
    const complete = async (prompt: string, name: string, value: string, credential = tenant.apiKey) => {
      const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } };
      return (await gateway.rpc(credential, 'completion/complete', params)).body.result.completion;
    };

    it("are the tenant's own campaigns and contacts that begin so", async () => {
      expect(await complete('diagnose_campaign', 'campaign_id', 'spr')).toEqual({
        values: ['spring-launch'],
        hasMore: false,
      });
      expect((await complete('brief_on_contact', 'contact_id', 'crm-0001')).values).toEqual(
        Array.from({ length: 10 }, (_, index) => `crm-0001${index}`),
      );
    });

    it('are none for another prompt or argument, or another tenant', async () => {
      expect(await complete('nope', 'campaign_id', 's')).toEqual({ values: [], hasMore: false });
      expect(await complete('diagnose_campaign', 'contact_id', 'c')).toEqual({ values: [], hasMore: false });
      const other = await gateway.addTenant({ name: 'Other' });
      expect(await complete('brief_on_contact', 'contact_id', 'crm', other.apiKey)).toEqual({
        values: [],
        hasMore: false,
      });
    });

    it('are none for what no database can hold', async () => {
      expect((await complete('brief_on_contact', 'contact_id', '\0')).values).toEqual([]);
      expect((await complete('brief_on_contact', 'contact_id', '\ud800')).values).toEqual([]);
    });
  });
});

describe('a deployment with a prefix of its own', () => {
  let gateway: GatewayProcess;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await startGateway({ KEY_PREFIX: 'acme' });
    tenant = await gateway.addTenant({ name: 'Acme' });
  });

  afterAll(() => gateway?.stop());

  it('has it in keys, resources and prompts, and the default nowhere', async () => {
    expect(tenant.apiKey).toMatch(/^acme_/);
    const texts: string[] = [];
    const ask = async (method: string, params?: unknown) => {
      const { text, body } = await gateway.rpc(tenant.apiKey, method, params);
      texts.push(text);
      return body.result;
    };
    const { resources } = await ask('resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'acme://reference/alerts',
      'acme://reference/freshness',
      'acme://reference/trust-model',
    ]);
    for (const { uri } of resources) {
      expect((await ask('resources/read', { uri })).contents[0].uri).toBe(uri);
    }
    for (const [name, given] of [
      ['diagnose_campaign', { campaign_id: 'c' }],
      ['assess_data_trust', {}],
      ['brief_on_contact', { contact_id: 'c' }],
    ]) {
      const { messages } = await ask('prompts/get', { name, arguments: given });
      expect(messages[0].content.text).toContain('acme://reference/');
    }
    await ask('tools/list');
    await ask('initialize', { protocolVersion: '2025-11-25', ...CLIENT });
    expect(texts.join()).not.toMatch(/svc:\/\/|svc_/);
    const old = await gateway.rpc(tenant.apiKey, 'resources/read', { uri: 'svc://reference/alerts' });
    expect(old.body.error.code).toBe(-32002);
  });
});
