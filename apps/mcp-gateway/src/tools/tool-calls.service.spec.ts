import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { AuditEntry, AuditWriter } from '@outcomes/audit';
import type { Authenticator, Identity, Principal } from '@outcomes/auth';
import { AppError, DAY_MS, type ResultFrame } from '@outcomes/contracts';
import { PacedRefusals, type Consumption, type Limiter } from '@outcomes/limits';
import { Management, type Logger } from '@outcomes/platform';
import type { Answers } from '@outcomes/read-model';
import { TenantChoice } from '../access/tenant-choice.service';
import { RpcFault } from '../json-rpc.protocol';
import type { RpcExchange } from '../mcp/rpc-exchange.protocol';
import { ToolCallValidator } from './tool-call-validator.service';
import { CallMetrics } from './call-metrics.service';
import { CallRecords } from './call-records.service';
import { ToolCalls } from './tool-calls.service';

const NOW = new Date('2026-03-01T12:00:00Z');
const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const THIRD = '33333333-3333-4333-8333-333333333333';
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

const scopeOf = (companyId: string) => ({ companyId }) as Principal['scope'];

const principalOf = (companyId: string, more: Partial<Principal> = {}): Principal => ({
  kind: 'self_serve',
  scope: scopeOf(companyId),
  companyId,
  keyId: 'KEYKEYKEYKEYKEY1',
  portalId: null,
  permissions: ['analytics_read'],
  bounds: { purpose: null, tools: null },
  burstLimit: 200,
  ingestBurstLimit: 2000,
  monthlyQuota: 1000,
  expiresAt: null,
  actor: { type: 'api_key', id: 'KEYKEYKEYKEYKEY1' },
  ...more,
});

const usage: Consumption = {
  limit: 200,
  remaining: 150,
  resetSeconds: 60,
  policy: '200;w=900',
  quotaLimit: 1000,
  quotaUsed: 10,
  quotaResetSeconds: 1000,
  month: 24_314,
};

const document: ResultFrame = {
  schema_version: '1.0.0',
  tenant_id: OWN,
  scope: 'company',
  summary: 'All is well.',
  alerts: ['stale_data'],
  as_of: NOW.toISOString(),
  data_as_of: null,
  analysed_at: null,
  newest_outcome_at: null,
};

/** The service with everything around it faked, so that each fault can be had. */
function house(home: Principal | null = principalOf(OWN)) {
  const rows: AuditEntry[] = [];
  const logged: unknown[] = [];
  const audit = { record: jest.fn(async (entry: AuditEntry) => void rows.push(entry)) };
  const limiter = { consume: jest.fn(async () => usage), refundQuota: jest.fn(async () => undefined) };
  const bandit = jest.fn(async (): Promise<unknown> => document);
  const authenticator = {
    enter: jest.fn(async (_identity: Identity, { tenantId }: { tenantId?: string }) => {
      if (tenantId !== OTHER) throw new AppError('Forbidden');
      return principalOf(OTHER, { kind: 'bootstrap', keyId: 'root' });
    }),
  };
  const clock = { now: () => NOW };
  const management = new Management('spec');
  const tenants = new TenantChoice(authenticator as unknown as Authenticator);
  const refusals = new PacedRefusals();
  const turn = jest.spyOn(refusals, 'turn').mockResolvedValue(undefined);
  const letGo = jest.fn();
  const calls = new ToolCalls(
    new ToolCallValidator(tenants, clock),
    new CallRecords(audit as unknown as AuditWriter),
    new CallMetrics(management),
    { answer: bandit } as unknown as Answers,
    limiter as unknown as Limiter,
    refusals,
    clock,
    { error: (...parts: unknown[]) => logged.push(parts) } as unknown as Logger,
  );
  const headers: Record<string, string> = {};
  const exchange: RpcExchange = {
    caller: {
      identity: {
        ...(home ?? { keyId: 'root', scope: null, bounds: { purpose: null, tools: null } }),
        kind: home ? 'self_serve' : 'bootstrap',
      } as Identity,
      home: home ?? undefined,
      presented: {},
      mayRead: true,
    },
    requestId: 'request-1',
    arrivedAt: NOW,
    startedMs: performance.now(),
    http: {
      setHeader: (name, value) => (headers[name] = value),
      letGo,
      response: new ServerResponse(new IncomingMessage(new Socket())),
    },
  };
  const call = async (params: Record<string, unknown>, refused?: RpcFault) =>
    JSON.parse(await calls.answer(params, exchange, refused));
  const counted = () => callsIn(management);
  return {
    audit,
    authenticator,
    bandit,
    call,
    counted,
    exchange,
    headers,
    letGo,
    limiter,
    logged,
    rows,
    turn,
  };
}

/** How many calls the metrics count, by tool and result; those of which there was none are left out. */
async function callsIn({ registry }: Management): Promise<Record<string, number>> {
  const text = await registry.getSingleMetricAsString('mcp_tool_call_duration_seconds');
  const counts = text.matchAll(/_count\{(.*)\} ([1-9]\d*)/g);
  return Object.fromEntries(
    // The first label is the process's own, the same on all its metrics.
    [...counts].map(([, labels = '', count]) => [labels.split(',').slice(1).join(), Number(count)]),
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const textOf = (result: { content: { text: string }[] }) => result.content[0]?.text ?? '';
const NAMED = { name: 'get_bandit_state' };

describe('a call that succeeds', () => {
  it('answers text and structured content that are the same document', async () => {
    const { call } = house();
    const result = await call(NAMED);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result.structuredContent).toEqual(document);
    expect(result).not.toHaveProperty('isError');
  });

  it('is audited with the hashes of what was sent and of the very text that is answered', async () => {
    const { call, rows } = house();
    const result = await call({ ...NAMED, arguments: { top_n: 5, channel: 'email' } });
    const [row] = rows;
    expect(row).toMatchObject({
      companyId: OWN,
      tool: 'get_bandit_state',
      errorType: null,
      requestId: 'request-1',
    });
    expect(row?.inputSha256.toString('hex')).toBe(sha256('{"channel":"email","top_n":5}'));
    expect(row?.outputSha256?.toString('hex')).toBe(sha256(textOf(result)));
  });

  it('hashes {} where no arguments were sent', async () => {
    const { call, rows } = house();
    await call(NAMED);
    expect(rows[0]?.inputSha256.toString('hex')).toBe(sha256('{}'));
  });

  it('gives the read model the arguments without tenant_id, and the scope', async () => {
    const { call, bandit } = house();
    await call({ ...NAMED, arguments: { top_n: 5, tenant_id: OWN.toUpperCase() } });
    expect(bandit).toHaveBeenCalledWith('BanditState', scopeOf(OWN), { top_n: 5 });
  });

  it('takes null for an argument that is absent, and hashes what was sent', async () => {
    const { call, bandit, rows } = house();
    await call({ ...NAMED, arguments: { channel: null, top_n: 5, tenant_id: null } });
    expect(bandit).toHaveBeenCalledWith('BanditState', scopeOf(OWN), { top_n: 5 });
    expect(rows[0]?.inputSha256.toString('hex')).toBe(sha256('{"channel":null,"tenant_id":null,"top_n":5}'));
  });

  it('carries the three rate-limit headers', async () => {
    const { call, headers } = house();
    await call(NAMED);
    expect(headers).toEqual({
      'RateLimit-Limit': '200',
      'RateLimit-Remaining': '150',
      'RateLimit-Reset': '60',
    });
  });

  it('discloses a key that ends within 14 days and a quota that is 90 % used', async () => {
    const ending = house(principalOf(OWN, { expiresAt: new Date(NOW.getTime() + 14 * DAY_MS) }));
    expect((await ending.call(NAMED)).structuredContent.alerts).toEqual(['stale_data', 'key_expires_soon']);
    const later = house(principalOf(OWN, { expiresAt: new Date(NOW.getTime() + 14 * DAY_MS + 1) }));
    expect((await later.call(NAMED)).structuredContent.alerts).toEqual(['stale_data']);
    const used = house();
    used.limiter.consume.mockResolvedValue({ ...usage, quotaUsed: 900 });
    expect((await used.call(NAMED)).structuredContent.alerts).toEqual([
      'stale_data',
      'quota_nearly_exhausted',
    ]);
    used.limiter.consume.mockResolvedValue({ ...usage, quotaUsed: 899 });
    expect((await used.call(NAMED)).structuredContent.alerts).toEqual(['stale_data']);
  });

  it('has lost the hidden characters that a read model let through', async () => {
    const { call, bandit, rows } = house();
    bandit.mockResolvedValue({ ...document, campaign_id: 'a\u202eb\u200bc\u0000d' });
    const result = await call(NAMED);
    expect(result.structuredContent.campaign_id).toBe('abcd');
    expect(rows[0]?.outputSha256?.toString('hex')).toBe(sha256(textOf(result)));
  });
});

describe('a call that fails', () => {
  it('says nothing of the exception, gives the quota back and is audited', async () => {
    const { call, bandit, limiter, logged, rows } = house();
    bandit.mockRejectedValue(new Error('relation "secrets" does not exist'));
    const result = await call(NAMED);
    expect(JSON.stringify(result)).not.toMatch(/secrets|relation/);
    expect(JSON.parse(textOf(result))).toMatchObject({
      tenant_id: OWN,
      alerts: [],
      error: { code: 'internal_error' },
    });
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    expect(limiter.refundQuota).toHaveBeenCalledWith(
      expect.objectContaining({ companyId: OWN }),
      usage.month,
    );
    expect(rows[0]).toMatchObject({ errorType: 'internal_error' });
    expect(logged).toHaveLength(1);
  });

  it('returns no data where its row cannot be written, and gives the quota back', async () => {
    const { call, audit, limiter } = house();
    audit.record.mockRejectedValue(new AppError('SERVICE_UNAVAILABLE'));
    const result = await call(NAMED);
    expect(JSON.parse(textOf(result)).error.code).toBe('internal_error');
    expect(JSON.stringify(result)).not.toContain('All is well.');
    expect(limiter.refundQuota).toHaveBeenCalledTimes(1);
  });

  it('on a bad argument that only the read model can judge is refused like any bad argument', async () => {
    const { call, bandit, limiter, rows } = house();
    bandit.mockRejectedValue(
      new AppError('INVALID_PARAMETER', { parameter: 'cursor' }, { message: 'cursor must be unchanged.' }),
    );
    const { error } = JSON.parse(textOf(await call(NAMED)));
    expect(error).toEqual({
      code: 'invalid_arguments',
      field: 'cursor',
      message: 'cursor must be unchanged.',
    });
    expect(limiter.refundQuota).toHaveBeenCalledTimes(1);
    expect(rows[0]).toMatchObject({ errorType: 'invalid_arguments' });
  });
});

describe('a call that is refused', () => {
  it('names the field and its bounds, consumes burst only, is audited and never run', async () => {
    const { call, bandit, limiter, rows } = house();
    const result = await call({ ...NAMED, arguments: { top_n: 0 } });
    expect(JSON.parse(textOf(result))).toMatchObject({
      schema_version: '1.0.0',
      tenant_id: OWN,
      scope: 'company',
      alerts: [],
      error: { code: 'invalid_arguments', field: 'top_n', expected: { minimum: 1, maximum: 100 } },
    });
    expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), { surface: 'read', countsQuota: false });
    expect(limiter.refundQuota).not.toHaveBeenCalled();
    expect(rows[0]).toMatchObject({ tool: 'get_bandit_state', errorType: 'invalid_arguments' });
    expect(bandit).not.toHaveBeenCalled();
  });

  it.each([[[]], ['text'], [7], [null]])('for arguments that are %j', async (given) => {
    const { call, rows } = house();
    const { error } = JSON.parse(textOf(await call({ ...NAMED, arguments: given })));
    expect(error).toMatchObject({ code: 'invalid_arguments', field: 'arguments' });
    expect(rows).toHaveLength(1);
  });

  it.each([['nope'], [undefined], [7], ['__proto__']])(
    'by JSON-RPC where there is no tool %j',
    async (name) => {
      const { call, limiter, rows } = house();
      await expect(call({ name, arguments: { tenant_id: OTHER } })).rejects.toThrow(RpcFault);
      expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), {
        surface: 'read',
        countsQuota: false,
      });
      expect(rows[0]).toMatchObject({
        tool: 'unknown_tool',
        errorType: 'unknown_tool',
        requestedCompanyId: null,
      });
    },
  );

  it('is denied another tenant, whatever else is wrong, and both can see it', async () => {
    const { call, bandit, limiter, rows } = house();
    const result = await call({ ...NAMED, arguments: { tenant_id: OTHER.toUpperCase(), top_n: 'x' } });
    expect(JSON.parse(textOf(result))).toMatchObject({
      tenant_id: OWN,
      error: { code: 'permission_denied' },
    });
    expect(JSON.stringify(result)).not.toContain(OTHER);
    expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), { surface: 'read', countsQuota: true });
    expect(limiter.refundQuota).not.toHaveBeenCalled();
    expect(rows[0]).toMatchObject({
      companyId: OWN,
      requestedCompanyId: OTHER,
      errorType: 'permission_denied',
    });
    expect(bandit).not.toHaveBeenCalled();
  });

  it('by the protocol keeps its answer, and is an attempt all the same where it names another tenant', async () => {
    const { call, counted, limiter, rows } = house();
    const refused = new RpcFault(-32602, 'Invalid params._meta.', { status: 400 });
    const params = { ...NAMED, arguments: { tenant_id: OTHER } };
    await expect(call(params, refused)).rejects.toBe(refused);
    // Mutation: a row in the log of another tenant that no month bounds.
    expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), { surface: 'read', countsQuota: true });
    expect(limiter.refundQuota).not.toHaveBeenCalled();
    expect(rows).toMatchObject([
      { companyId: OWN, requestedCompanyId: OTHER, errorType: 'permission_denied' },
    ]);
    expect(await counted()).toEqual({ 'tool="get_bandit_state",result="permission_denied"': 1 });
  });

  it('by the protocol counts in no month where it names nobody else', async () => {
    const { call, limiter, rows } = house();
    const refused = new RpcFault(-32602, 'Invalid params._meta.', { status: 400 });
    await expect(call({ ...NAMED, arguments: { tenant_id: OWN } }, refused)).rejects.toBe(refused);
    expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), { surface: 'read', countsQuota: false });
    expect(rows).toMatchObject([{ requestedCompanyId: null, errorType: 'invalid_arguments' }]);
  });

  it.each([
    [OTHER, true, OTHER],
    [undefined, false, null],
  ])(
    'for a key that may not read is an attempt only where it names another tenant: %s',
    async (tenant_id, countsQuota, requestedCompanyId) => {
      const { call, exchange, limiter, rows } = house();
      Object.assign(exchange.caller, { mayRead: false });
      await call({ ...NAMED, arguments: { ...(tenant_id !== undefined && { tenant_id }) } });
      expect(exchange.refusal).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
      expect(limiter.consume).toHaveBeenCalledWith(expect.anything(), { surface: 'read', countsQuota });
      expect(rows).toMatchObject([{ companyId: OWN, requestedCompanyId, errorType: 'permission_denied' }]);
    },
  );

  it.each(['RATE_LIMITED', 'QUOTA_EXCEEDED', 'SERVICE_UNAVAILABLE'] as const)(
    'by HTTP with %s, and no other tenant that it names is told of it',
    async (code) => {
      const { call, limiter, rows } = house();
      limiter.consume.mockRejectedValue(new AppError(code));
      await call({ ...NAMED, arguments: { tenant_id: OTHER } });
      expect(rows).toMatchObject([{ companyId: OWN, requestedCompanyId: null }]);
    },
  );

  it('is denied a tenant whose name is no id', async () => {
    const { call, rows } = house();
    const result = await call({ ...NAMED, arguments: { tenant_id: "acme'; --" } });
    expect(JSON.parse(textOf(result)).error.code).toBe('permission_denied');
    expect(rows[0]).toMatchObject({ companyId: OWN, requestedCompanyId: null });
  });

  it.each([
    ['RATE_LIMITED', 429, 'rate_limited'],
    ['QUOTA_EXCEEDED', 429, 'quota_exceeded'],
    ['SERVICE_UNAVAILABLE', 503, 'internal_error'],
  ] as const)('by HTTP with %s, with a row and the hash of the body', async (code, status, errorType) => {
    const { call, bandit, exchange, letGo, limiter, rows, turn } = house();
    limiter.consume.mockRejectedValue(new AppError(code, {}, { headers: { 'Retry-After': '9' } }));
    await call(NAMED);
    expect(exchange.refusal).toMatchObject({
      status,
      headers: { 'Retry-After': '9' },
      body: { success: false, error: code, requestId: 'request-1' },
    });
    expect(rows[0]).toMatchObject({ errorType });
    expect(bandit).not.toHaveBeenCalled();
    // Mutation: answered at once, however often it is asked again.
    expect(turn.mock.calls).toEqual(status === 429 ? [[OWN]] : []);
    expect(letGo).toHaveBeenCalledTimes(turn.mock.calls.length);
  });
});

describe('a credential that serves several tenants', () => {
  it('acts for the tenant that a call names', async () => {
    const { call, bandit, rows } = house(null);
    await call({ ...NAMED, arguments: { tenant_id: OTHER } });
    expect(bandit).toHaveBeenCalledWith('BanditState', scopeOf(OTHER), {});
    expect(rows[0]).toMatchObject({ companyId: OTHER, keyId: 'root', requestedCompanyId: null });
  });

  it('is told to name one', async () => {
    const { call, rows } = house(null);
    const { error } = JSON.parse(textOf(await call(NAMED)));
    expect(error).toMatchObject({ code: 'invalid_arguments', field: 'tenant_id' });
    expect(rows[0]).toMatchObject({ companyId: NO_COMPANY, keyId: 'root' });
  });

  it.each([[principalOf(OWN, { kind: 'bootstrap' })], [null]])(
    'hears when to ask again where nobody can look its tenant up: home %j',
    async (home) => {
      const { authenticator, bandit, call, counted, exchange, limiter, logged, rows } = house(home);
      Object.assign(exchange.caller.identity, { kind: 'bootstrap' });
      const headers = { 'Retry-After': '1' };
      const failure = new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error('10.0.0.7'), headers });
      authenticator.enter.mockRejectedValue(failure);
      const result = await call({ ...NAMED, arguments: { tenant_id: OTHER } });
      expect(exchange.refusal).toMatchObject({
        status: 503,
        headers,
        body: { success: false, error: 'SERVICE_UNAVAILABLE', requestId: 'request-1' },
      });
      expect(JSON.stringify([exchange.refusal, result])).not.toContain('10.0.0.7');
      expect(limiter.consume).toHaveBeenCalledWith(exchange.caller.identity, {
        surface: 'read',
        countsQuota: false,
      });
      expect(rows).toMatchObject([
        { companyId: NO_COMPANY, requestedCompanyId: null, errorType: 'internal_error' },
      ]);
      expect(await counted()).toEqual({ 'tool="get_bandit_state",result="internal_error"': 1 });
      expect(logged).toHaveLength(1);
      expect(bandit).not.toHaveBeenCalled();
    },
  );

  it('hears the same where its row cannot be written either', async () => {
    const { audit, authenticator, call, exchange } = house(null);
    authenticator.enter.mockRejectedValue(new AppError('SERVICE_UNAVAILABLE'));
    audit.record.mockRejectedValue(new AppError('SERVICE_UNAVAILABLE'));
    await call({ ...NAMED, arguments: { tenant_id: OTHER } });
    expect(exchange.refusal).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
  });

  it('is denied a tenant that it does not serve, and that tenant can see it', async () => {
    const { call, rows } = house(null);
    const { error } = JSON.parse(textOf(await call({ ...NAMED, arguments: { tenant_id: THIRD } })));
    expect(error.code).toBe('permission_denied');
    expect(rows[0]).toMatchObject({ requestedCompanyId: THIRD, errorType: 'permission_denied' });
  });
});

describe('metrics', () => {
  it('count calls by tool and result, and name nobody', async () => {
    const { call, counted, audit } = house();
    await call(NAMED);
    await call(NAMED);
    await call({ ...NAMED, arguments: { top_n: 0 } });
    await call({ ...NAMED, arguments: { tenant_id: OTHER } });
    await expect(call({ name: 'secret-name' })).rejects.toThrow(RpcFault);
    audit.record.mockRejectedValue(new AppError('SERVICE_UNAVAILABLE'));
    await call(NAMED);
    const labels = (tool: string, result: string) => `tool="${tool}",result="${result}"`;
    expect(await counted()).toEqual({
      [labels('get_bandit_state', 'success')]: 2,
      [labels('get_bandit_state', 'invalid_arguments')]: 1,
      [labels('get_bandit_state', 'permission_denied')]: 1,
      [labels('get_bandit_state', 'internal_error')]: 1,
      [labels('unknown_tool', 'unknown_tool')]: 1,
    });
  });
});
