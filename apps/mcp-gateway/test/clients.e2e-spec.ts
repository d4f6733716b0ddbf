import { createMCPClient } from '@ai-sdk/mcp';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Tenant } from '@outcomes/testing';
import { shareGateway, type SharedGateway } from './gateway-fixture';
import { plantCompany } from './planted-data';

describe('clients that others wrote', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({ name: 'Acme' });
    await plantCompany(gateway.database, tenant.companyId);
  });

  afterAll(() => gateway?.stop());

  describe('the official SDK', () => {
    let client: Client;

    beforeAll(async () => {
      client = new Client({ name: 'spec', version: '1.0.0' });
      const headers = { Authorization: `Bearer ${tenant.apiKey}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
      );
      // From here on it holds every result against its output schema.
      await client.listTools();
    });

    afterAll(() => client?.close());

    it.each([
      ['get_campaign_health', { campaign_id: 'spring-launch' }],
      ['get_campaign_recommendations', {}],
      ['get_bandit_state', { top_n: 3 }],
      ['get_drift_state', {}],
      ['get_workflow_decisions', {}],
      ['get_recipient_intelligence', { contact_id: 'crm-00001' }],
      ['get_action_audit_log', { limit: 2 }],
    ])('calls %s', async (name, given) => {
      const result = await client.callTool({ name, arguments: given });
      expect(result.structuredContent).toMatchObject({ tenant_id: tenant.companyId });
    });

    it('reads resources, prompts and completions', async () => {
      const { resources } = await client.listResources();
      expect(await client.readResource({ uri: resources[0]?.uri ?? '' })).toHaveProperty('contents');
      const { prompts } = await client.listPrompts();
      expect(prompts).toHaveLength(4);
      expect(await client.getPrompt({ name: 'assess_data_trust' })).toHaveProperty('messages');
      const ref = { type: 'ref/prompt' as const, name: 'diagnose_campaign' };
      const found = await client.complete({ ref, argument: { name: 'campaign_id', value: 'spr' } });
      expect(found.completion.values).toContain('spring-launch');
    });

    it('meets refusals as results and as errors, each in its place', async () => {
      const refused = await client.callTool({ name: 'get_bandit_state', arguments: { top_n: 0 } });
      expect(refused.isError).toBe(true);
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.readResource({ uri: 'svc://nope' })).rejects.toMatchObject({ code: -32002 });
    });
  });

  describe('the official SDK 2', () => {
    const modes: [string, ClientOptions['versionNegotiation'], string][] = [
      ['by itself', undefined, '2025-11-25'],
      ['asking first', { mode: 'auto' }, '2026-07-28'],
      ['pinned', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
    ];

    it.each(modes)('%s finds the era, lists, reads and calls', async (_mode, versionNegotiation, version) => {
      const client = new NewClient({ name: 'spec', version: '1.0.0' }, { versionNegotiation });
      const headers = { Authorization: `Bearer ${tenant.apiKey}` };
      await client.connect(new NewTransport(new URL(gateway.url), { requestInit: { headers } }));
      try {
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
        expect(client.getServerVersion()?.name).toBe('outbound-outcome-intelligence');
        expect((await client.listTools()).tools).toHaveLength(7);
        const called = await client.callTool({ name: 'get_bandit_state', arguments: { top_n: 1 } });
        expect(called.structuredContent).toMatchObject({ tenant_id: tenant.companyId, arm_count: 22 });
        const refused = await client.callTool({ name: 'get_bandit_state', arguments: { top_n: 0 } });
        expect(refused.isError).toBe(true);
        const { contents } = await client.readResource({ uri: 'svc://reference/freshness' });
        expect(contents).toHaveLength(1);
        expect((await client.getPrompt({ name: 'assess_data_trust' })).messages).toHaveLength(1);
        const ref = { type: 'ref/prompt' as const, name: 'diagnose_campaign' };
        const found = await client.complete({ ref, argument: { name: 'campaign_id', value: 'spr' } });
        expect(found.completion.values).toContain('spring-launch');
        const code = version === '2026-07-28' ? -32602 : -32002;
        await expect(client.readResource({ uri: 'svc://nope' })).rejects.toMatchObject({ code });
      } finally {
        await client.close();
      }
    });
  });

  it('mcp-remote carries a client that only starts programs, over standard input and output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
    const client = new Client({ name: 'spec', version: '1.0.0' });
    const options = { timeout: 30_000 };
    try {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [
          ...[
            require.resolve('mcp-remote/dist/proxy.js'),
            gateway.url,
            '--silent',
            '--transport',
            'http-only',
          ],
          ...['--header', 'Authorization:${AUTH_HEADER}'],
        ],
        env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, AUTH_HEADER: `Bearer ${tenant.apiKey}` },
        stderr: 'ignore',
      });
      await client.connect(transport, options);
      expect((await client.listTools(undefined, options)).tools).toHaveLength(7);
      const given = { name: 'get_bandit_state', arguments: { top_n: 1 } };
      const result = await client.callTool(given, undefined, options);
      expect(result.structuredContent).toMatchObject({ tenant_id: tenant.companyId, arm_count: 22 });
      const { contents } = await client.readResource({ uri: 'svc://reference/freshness' }, options);
      expect(contents).toHaveLength(1);
    } finally {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it.each([
    ['asking first', true, '2026-07-28'],
    ['with a handshake', false, '2025-11-25'],
  ])('the AI SDK %s lists the tools and runs one', async (_how, protocolVersionDiscovery, version) => {
    let spoken: string | null = null;
    const client = await createMCPClient({
      protocolVersionDiscovery,
      transport: {
        type: 'http',
        url: gateway.url,
        headers: { Authorization: `Bearer ${tenant.apiKey}` },
        fetch: (input, init) => {
          spoken = new Headers(init?.headers).get('mcp-protocol-version');
          return fetch(input, init);
        },
      },
    });
    try {
      const tools = await client.tools();
      expect(Object.keys(tools)).toHaveLength(7);
      const result: unknown = await tools.get_bandit_state?.execute(
        { top_n: 2 },
        { toolCallId: '1', messages: [], context: {} },
      );
      expect(result).toMatchObject({ structuredContent: { arm_count: 22 } });
      expect(spoken).toBe(version);
    } finally {
      await client.close();
    }
  });
});
