import { connect } from 'node:net';
import { waitUntil, type Answer, type Tenant } from '@outcomes/testing';
import {
  BOTH_TYPES,
  documentOf,
  shareGateway,
  startGateway,
  type GatewayProcess,
  type SharedGateway,
} from './gateway-fixture';
import { plantCompany } from './planted-data';

/** Free requests of a key with a small window for calls. */
const FREE_LIMIT = 100;
const COMPLETION = {
  ref: { type: 'ref/prompt', name: 'brief_on_contact' },
  argument: { name: 'contact_id', value: 'crm' },
};

describe('what is no call', () => {
  let gateway: SharedGateway;

  beforeAll(async () => {
    gateway = await shareGateway();
  });
  afterAll(() => gateway?.stop());

  const statusOf = async (answer: Promise<Answer>) => (await answer).status;

  const FREE: [string, (key: string) => Promise<Answer>, number][] = [
    ['ping', (key) => gateway.rpc(key, 'ping'), 200],
    ['initialize', (key) => gateway.rpc(key, 'initialize', {}), 200],
    ['tools/list', (key) => gateway.rpc(key, 'tools/list'), 200],
    ['resources/read', (key) => gateway.rpc(key, 'resources/read', { uri: 'svc://reference/alerts' }), 200],
    ['completion/complete', (key) => gateway.rpc(key, 'completion/complete', COMPLETION), 200],
    ['an unknown method', (key) => gateway.rpc(key, 'nope'), 200],
    [
      'a notification',
      (key) => gateway.http(key, '{"jsonrpc":"2.0","method":"notifications/initialized"}'),
      202,
    ],
    ['broken JSON', (key) => gateway.http(key, '{'), 400],
    ['an actor that is none', (key) => gateway.http(key, '{}', { 'X-Actor-Type': 'robot' }), 400],
    ['a wrong verb', (key) => gateway.http(key, undefined, {}, 'GET'), 405],
    ['a wrong Accept', (key) => gateway.http(key, '{}', { Accept: 'text/html' }), 406],
    ['a body that is too large', (key) => gateway.http(key, 'x'.repeat(100_000)), 413],
    ['a wrong type', (key) => gateway.http(key, '{}', { 'Content-Type': 'text/plain' }), 415],
  ];

  it.each(FREE)('%s has an end: a window of its own, beside that of calls', async (_what, ask, status) => {
    const { apiKey } = await gateway.addTenant({ name: 'Acme', burst: 1 });
    // Twenty at a time: all of the largest at once would be too much memory for one company.
    for (let n = 0; n < FREE_LIMIT; n += 20) {
      const some = await Promise.all(Array.from({ length: 20 }, () => statusOf(ask(apiKey))));
      expect(new Set(some)).toEqual(new Set([status]));
    }
    const refused = await ask(apiKey);
    // Mutation: only tools/call is counted.
    expect([refused.status, refused.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-limit')).toBe(String(FREE_LIMIT));
    // The interface promises that they take nothing from calls.
    const call = await gateway.call(apiKey, 'get_bandit_state', {});
    expect([call.status, call.headers.get('ratelimit-remaining')]).toEqual([200, '0']);
  });

  it('an unknown address has an end too', async () => {
    const { apiKey } = await gateway.addTenant({ name: 'Acme', burst: 1 });
    const ask = () =>
      fetch(gateway.url.replace('/mcp', '/other'), { headers: { Authorization: `Bearer ${apiKey}` } });
    const first = await Promise.all(Array.from({ length: FREE_LIMIT }, async () => (await ask()).status));
    expect(new Set(first)).toEqual(new Set([404]));
    expect((await ask()).status).toBe(429);
  });
});

describe('a call without the permission to read', () => {
  let gateway: SharedGateway;
  beforeAll(async () => {
    gateway = await shareGateway();
  });
  afterAll(() => gateway?.stop());

  it('is refused with 403, is counted, and leaves its row', async () => {
    const { companyId, apiKey } = await gateway.addTenant({
      name: 'Acme',
      permissions: ['events_write'],
      burst: 2,
    });
    const answer = await gateway.rpc(apiKey, 'tools/call', {
      name: 'get_bandit_state',
      arguments: { top_n: 3 },
    });
    expect([answer.status, answer.body.error]).toEqual([403, 'Forbidden']);
    expect(answer.headers.get('ratelimit-remaining')).toBe('1');
    // Mutation: refused before it is known that it is a call, so that nobody learns of the attempt.
    expect(await gateway.auditRows(companyId)).toMatchObject([
      { tool: 'get_bandit_state', status: 'error', error_type: 'permission_denied' },
    ]);
    expect((await gateway.rpc(apiKey, 'ping')).status).toBe(403);
    expect((await gateway.http(apiKey, undefined, {}, 'GET')).status).toBe(403);
    expect(await gateway.auditRows(companyId)).toHaveLength(1);
  });
});

describe('completions', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;
  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({ name: 'Acme' });
    await plantCompany(gateway.database, tenant.companyId);
  });
  afterAll(() => gateway?.stop());

  const complete = async (value: string) => {
    const params = { ...COMPLETION, argument: { name: 'contact_id', value } };
    return (await gateway.rpc(tenant.apiKey, 'completion/complete', params)).body.result.completion;
  };

  it('are ten at most, and from three characters on', async () => {
    expect(await complete('cr')).toEqual({ values: [], hasMore: false });
    const { values, hasMore } = await complete('crm');
    expect([values.length, hasMore]).toEqual([10, true]);
  });

  it('leave a row where identifiers are read, and none where they are not', async () => {
    const before = (await gateway.auditRows(tenant.companyId)).length;
    await complete('crm-0');
    await complete('c');
    const rows = await gateway.auditRows(tenant.companyId);
    expect(rows.slice(before)).toMatchObject([
      { tool: 'completion/complete', status: 'success', error_type: null },
    ]);
    const log = documentOf(await gateway.call(tenant.apiKey, 'get_action_audit_log', {}));
    expect(JSON.stringify(log)).toContain('completion/complete');
  });
});

describe('bodies of the gateway', () => {
  let gateway: GatewayProcess;
  beforeAll(async () => {
    // What is held is that of a process.
    gateway = await startGateway({ BODY_STALL_MS: '500' }, 1);
  });
  afterAll(() => gateway?.stop());

  it('cost what has arrived, are not too many of one key, and have to keep coming', async () => {
    const [attacker, other] = [
      await gateway.addTenant({ name: 'Attacker' }),
      await gateway.addTenant({ name: 'Other' }),
    ];
    const answers: string[] = [];
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(gateway.port, '127.0.0.1');
      let answer = '';
      socket.on('error', () => undefined).on('close', () => answers.push(answer));
      socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk.toString()));
      const head = [
        'POST /mcp HTTP/1.1',
        `Host: localhost`,
        `Authorization: Bearer ${attacker.apiKey}`,
        `Accept: ${BOTH_TYPES}`,
        'Content-Type: application/json',
        `Content-Length: ${1_024 * 1_024}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(1_024 * 1_024 - 1)}`);
      return socket;
    });
    const peak = await waitUntil('the memory to be taken', async () => {
      const held = Number(/^http_body_bytes\{.*\} (\S+)$/m.exec(await gateway.metrics())?.[1]);
      return held > 2 * 1_024 * 1_024 && held;
    });
    expect((await gateway.call(other.apiKey, 'get_bandit_state', {})).status).toBe(200);
    expect(peak).toBeLessThanOrEqual(4 * 1_024 * 1_024);
    await waitUntil('all to be ended', () => answers.length === 100);
    // Mutation: no budget; 350 such requests ended the process within its memory.
    const statuses = new Set(answers.map((answer) => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]));
    for (const status of statuses) expect(['408', '429', '503']).toContain(status);
    expect(statuses).toContain('408');
    sockets.forEach((socket) => socket.destroy());
  });
});
