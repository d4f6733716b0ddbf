import { createHash } from 'node:crypto';
import { canonicalJson } from '@outcomes/audit';
import type { Answer, Tenant } from '@outcomes/testing';
import definitions from '../tool-definitions.json';
import { shareGateway, type SharedGateway } from './gateway-fixture';
import { plantCompany } from './planted-data';
import { expectPromises } from './result-promises';
import { stateless, type StatelessOptions } from './stateless-request';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('the era of 2026-07-28', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;
  const ask = (method: string, params?: Record<string, unknown>, options?: StatelessOptions) =>
    stateless(gateway, tenant.apiKey, method, params, options);
  const call = async (name: string, given: unknown, options?: StatelessOptions) => {
    const answer = await ask('tools/call', { name, arguments: given }, options);
    expectPromises(name, given, answer);
    return answer;
  };
  const seen = ({ status, body }: Answer) => [status, body.id, body.error?.code];

  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({ name: 'Acme' });
    await plantCompany(gateway.database, tenant.companyId);
  });

  afterAll(() => gateway?.stop());

  it('needs no handshake: server/discover tells what there is', async () => {
    const { status, headers, body } = await ask('server/discover', {}, { id: 'd' });
    expect([status, headers.get('content-type'), body.id]).toEqual([
      200,
      'application/json; charset=utf-8',
      'd',
    ]);
    expect(body.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringMatching(/get_drift_state before/),
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: { [SERVER_INFO]: expect.objectContaining({ name: 'outbound-outcome-intelligence' }) },
    });
  });

  it('has the tools, prompts, resources and completions of the era before', async () => {
    const { result } = (await ask('tools/list')).body;
    expect(result).toMatchObject({ tools: definitions.tools, ttlMs: 3_600_000, cacheScope: 'private' });
    for (const [method, params] of [
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'svc://reference/alerts' }],
      ['prompts/get', { name: 'brief_on_contact', arguments: { contact_id: 'c' } }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/prompt', name: 'diagnose_campaign' },
          argument: { name: 'campaign_id', value: 'spr' },
        },
      ],
    ] as const) {
      const { resultType, _meta, ttlMs, cacheScope, ...rest } = (await ask(method, params)).body.result;
      expect([resultType, _meta[SERVER_INFO].version]).toEqual(['complete', '1.0.0']);
      const isCached = /list$|read$/.test(method);
      expect([ttlMs, cacheScope]).toEqual(isCached ? [3_600_000, 'public'] : [undefined, undefined]);
      expect(rest).toEqual((await gateway.rpc(tenant.apiKey, method, params)).body.result);
    }
  });

  it('calls tools, and records them with the same hashes', async () => {
    const given = { top_n: 2 };
    const before = (await gateway.auditRows(tenant.companyId)).length;
    const [now, old] = [
      await call('get_bandit_state', given),
      await gateway.call(tenant.apiKey, 'get_bandit_state', given),
    ];
    expect(now.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(now.headers.get('ratelimit-limit')).toBe('200');
    expect(now.body.result).toMatchObject({ resultType: 'complete', structuredContent: { arm_count: 22 } });
    const rows = (await gateway.auditRows(tenant.companyId)).slice(before);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(rows).toMatchObject(
      [now, old].map(({ body, headers }) => ({
        tool: 'get_bandit_state',
        status: 'success',
        request_id: headers.get('x-request-id'),
        input: sha256(canonicalJson(given)),
        output: sha256(body.result.content[0].text),
      })),
    );
  });

  it('says that a result with an error is complete too', async () => {
    const { status, body } = await call('get_bandit_state', { top_n: 0 });
    expect([status, body.result.isError, body.result.resultType]).toEqual([200, true, 'complete']);
  });

  it('tells an unknown resource by -32602 and its URI', async () => {
    const answer = await ask('resources/read', { uri: 'svc://reference/nope' });
    expect(seen(answer)).toEqual([200, 1, -32602]);
    expect(answer.body.error.data).toEqual({ uri: 'svc://reference/nope' });
  });

  it('refuses what it cannot go by under the id of the request', async () => {
    const options = (more: StatelessOptions): StatelessOptions => ({ id: 'x', ...more });
    const refused = async (more: StatelessOptions, method = 'tools/list') =>
      seen(await ask(method, {}, options(more)));
    expect(await refused({ meta: { [CAPABILITIES]: undefined } })).toEqual([400, 'x', -32602]);
    expect(await refused({ headers: { 'Mcp-Method': 'ping' } })).toEqual([400, 'x', -32020]);
    expect(await refused({ headers: { 'MCP-Protocol-Version': undefined } })).toEqual([400, 'x', -32020]);
    for (const method of ['ping', 'initialize', 'tools/steal']) {
      expect(await refused({}, method)).toEqual([404, 'x', -32601]);
    }
    const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const unknown = await ask(
      'tools/list',
      {},
      { meta: version, headers: { 'MCP-Protocol-Version': '2099-01-01' } },
    );
    expect(seen(unknown)).toEqual([400, 1, -32022]);
    expect(unknown.body.error.data).toEqual({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  it('takes names in Base64', async () => {
    const header = `=?base64?${Buffer.from('get_bandit_state').toString('base64')}?=`;
    const answer = await call('get_bandit_state', { top_n: 1 }, { headers: { 'Mcp-Name': header } });
    expect(answer.body.result.structuredContent.arm_count).toBe(22);
  });

  it.each([
    ['another tool in the head', { headers: { 'Mcp-Name': 'get_drift_state' } }, -32020],
    ['no capabilities', { meta: { [CAPABILITIES]: undefined } }, -32602],
  ])(
    'records a call that it refuses for %s, counts it, and takes no quota for it',
    async (_what, more, code) => {
      const own = await gateway.addTenant({ name: 'Careful', burst: 2, monthly: 1 });
      const params = { name: 'get_bandit_state', arguments: { top_n: 3 } };
      const refused = await stateless(gateway, own.apiKey, 'tools/call', params, more);
      expect(seen(refused)).toEqual([400, 1, code]);
      expect(refused.headers.get('ratelimit-remaining')).toBe('1');
      expect(await gateway.auditRows(own.companyId)).toMatchObject([
        {
          tool: 'get_bandit_state',
          error_type: 'invalid_arguments',
          request_id: refused.headers.get('x-request-id'),
          input: createHash('sha256').update('{"top_n":3}').digest('hex'),
        },
      ]);
      expect((await stateless(gateway, own.apiKey, 'tools/call', params)).status).toBe(200);
      // The window is full: now HTTP refuses, whatever is wrong besides.
      const late = await stateless(gateway, own.apiKey, 'tools/call', params, more);
      expect([late.status, late.body.error]).toEqual([429, 'RATE_LIMITED']);
      expect(await gateway.auditRows(own.companyId)).toHaveLength(3);
    },
  );

  it.each([
    ['progressToken', 1.5],
    ['progressToken', null],
    ['io.modelcontextprotocol/related-task', 7],
  ])('answers where _meta has the %s %j', async (name, value) => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list']) {
      expect(seen(await ask(method, {}, { meta: { [name]: value } }))).toEqual([200, 1, -32602]);
    }
  });

  it('records a call that it refuses as an attempt where that names another tenant, and takes quota for it', async () => {
    const [own, other] = [
      await gateway.addTenant({ name: 'Curious', monthly: 1 }),
      await gateway.addTenant({ name: 'Target' }),
    ];
    const params = { name: 'get_bandit_state', arguments: { tenant_id: other.companyId } };
    const attempt = () =>
      stateless(gateway, own.apiKey, 'tools/call', params, { meta: { [CAPABILITIES]: undefined } });
    expect(seen(await attempt())).toEqual([400, 1, -32602]);
    // Mutation: without an end but that of the burst.
    const late = await attempt();
    expect([late.status, late.body.error]).toEqual([429, 'QUOTA_EXCEEDED']);
    expect(await gateway.auditRows(own.companyId)).toMatchObject([
      { error_type: 'permission_denied', requested_company_id: other.companyId },
      { error_type: 'quota_exceeded', requested_company_id: null },
    ]);
  });

  it('records an unknown tool, and says so in the answer', async () => {
    const own = await gateway.addTenant({ name: 'Lost' });
    const answer = await stateless(gateway, own.apiKey, 'tools/call', { name: 'nope' });
    expect(seen(answer)).toEqual([200, 1, -32602]);
    expect(await gateway.auditRows(own.companyId)).toMatchObject([{ error_type: 'unknown_tool' }]);
  });

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json;q=0.1, text/event-stream', 'application/json; charset=utf-8'],
    ['text/event-stream', 'text/event-stream; charset=utf-8'],
    ['application/json;q=0, text/event-stream', 'text/event-stream; charset=utf-8'],
  ])('answers Accept %s with %s', async (accept, type) => {
    const answer = await ask('tools/list', {}, { headers: { Accept: accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.body.result.tools).toHaveLength(definitions.tools.length);
  });

  it('406: neither JSON nor events', async () => {
    const answer = await ask('tools/list', {}, { headers: { Accept: 'text/html' } });
    expect([answer.status, answer.body.error]).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  it('notes notifications, and refuses answers that nobody asked for', async () => {
    const version = { 'MCP-Protocol-Version': '2026-07-28' };
    const post = (message: object) =>
      gateway.http(tenant.apiKey, JSON.stringify({ jsonrpc: '2.0', ...message }), version);
    expect((await post({ method: 'notifications/cancelled', params: { requestId: 1 } })).status).toBe(202);
    expect(seen(await post({ id: 1, result: {} }))).toEqual([400, null, -32600]);
  });

  it('is counted as the era before: everything but calls in a window of its own', async () => {
    const own = await gateway.addTenant({ name: 'Busy', burst: 1 });
    for (let n = 0; n < 100; n += 20) {
      const some = await Promise.all(
        Array.from({ length: 20 }, () => stateless(gateway, own.apiKey, 'server/discover')),
      );
      expect(new Set(some.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const refused = await stateless(gateway, own.apiKey, 'ping');
    expect([refused.status, refused.body.error]).toEqual([429, 'RATE_LIMITED']);
  });

  it('holds messages that call no tool to 64 KiB', async () => {
    const large = await ask('tools/list', { filler: 'x'.repeat(64 * 1_024) });
    expect([large.status, large.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('shows a key that is bound the tools that it may call, and no cache of another', async () => {
    const own = await gateway.addTenant({
      name: 'Bound',
      bounds: { purpose: 'agent', tools: ['get_drift_state'] },
    });
    const { result } = (await stateless(gateway, own.apiKey, 'tools/list')).body;
    expect([result.tools.length, result.tools[0].name, result.cacheScope]).toEqual([
      1,
      'get_drift_state',
      'private',
    ]);
    const denied = await stateless(gateway, own.apiKey, 'tools/call', { name: 'get_bandit_state' });
    expect(JSON.parse(denied.body.result.content[0].text).error.code).toBe('permission_denied');
  });

  it('refuses who may not read, and keeps the row of the call', async () => {
    const own = await gateway.addTenant({ name: 'Writer', permissions: ['events_write'] });
    expect((await stateless(gateway, own.apiKey, 'server/discover')).status).toBe(403);
    const params = { name: 'get_bandit_state' };
    expect((await stateless(gateway, own.apiKey, 'tools/call', params)).status).toBe(403);
    expect(await gateway.auditRows(own.companyId)).toMatchObject([{ error_type: 'permission_denied' }]);
  });
});
