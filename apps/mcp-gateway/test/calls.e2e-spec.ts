import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import type { Answer } from '@outcomes/testing';
import { documentOf, startGateway, type GatewayProcess } from './gateway-fixture';
import { plantCompany } from './planted-data';

const NOBODY = '99999999-9999-4999-8999-999999999999';
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

const errorOf = (answer: Answer) => documentOf(answer).error;

describe('tools/call', () => {
  let gateway: GatewayProcess;
  const rootToken = `bootstrap-${randomBytes(24).toString('hex')}`;

  beforeAll(async () => {
    const sha256 = createHash('sha256').update(rootToken).digest('hex');
    gateway = await startGateway({
      BOOTSTRAP_CREDENTIALS: JSON.stringify([
        { id: 'root', sha256, permissions: ['analytics_read'], tenants: '*' },
      ]),
    });
  });

  afterAll(() => gateway?.stop());

  /** A call by a client that names a version. */
  const callOf = (version: string, apiKey: string, given: object): Promise<Answer> => {
    const params = { name: 'get_bandit_state', arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    return gateway.http(apiKey, body, { 'MCP-Protocol-Version': version });
  };
  const seen = ({ status, body }: Answer) => [status, body.id, body.error?.code];

  describe('audit', () => {
    it('has one row for every one of 400 calls, 40 at a time, good, bad, unknown, denied and throttled', async () => {
      const tenant = await gateway.addTenant({ name: 'Busy', burst: 300, monthly: 10_000 });
      const other = await gateway.addTenant({ name: 'Other' });
      await plantCompany(gateway.database, tenant.companyId);
      const kinds: readonly (readonly [string, unknown])[] = [
        ['get_bandit_state', {}],
        ['get_bandit_state', { top_n: 0 }],
        ['no_such_tool', {}],
        ['get_drift_state', { tenant_id: other.companyId }],
      ];
      const calls = Array.from({ length: 400 }, (_, index) => kinds[index % 4] ?? ['', {}]);
      const answers: Answer[] = [];
      const caller = async () => {
        for (let next = calls.pop(); next; next = calls.pop()) {
          const [name, given] = next;
          answers.push(await gateway.call(tenant.apiKey, name, given));
        }
      };
      await Promise.all(Array.from({ length: 40 }, caller));

      const refused = answers.filter(({ status }) => status === 429).length;
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(400 - refused);
      // How many exactly is for the limiter's own tests: while Redis is slow, each pod counts for itself.
      expect(refused).toBeGreaterThan(0);
      const rows = await gateway.auditRows(tenant.companyId);
      expect(rows).toHaveLength(400);
      const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')));
      expect(ids.size).toBe(400);
      expect(rows.every((row) => ids.has(String(row.request_id)))).toBe(true);
      const throttled = rows.filter((row) => row.error_type === 'rate_limited');
      expect(throttled).toHaveLength(refused);
      const kindsSeen = new Set(rows.map((row) => row.error_type ?? 'success'));
      expect([...kindsSeen].sort()).toEqual(
        ['invalid_arguments', 'permission_denied', 'rate_limited', 'success', 'unknown_tool'].sort(),
      );
    });

    it.each(['2019-01-01', '1.0', ''])(
      'has one row for a call of the version "%s", which is refused under its id and takes no quota',
      async (version) => {
        const tenant = await gateway.addTenant({ name: 'Careful', burst: 2, monthly: 1 });
        const refused = await callOf(version, tenant.apiKey, { top_n: 3 });
        expect(seen(refused)).toEqual([400, 7, -32000]);
        expect(refused.headers.get('ratelimit-remaining')).toBe('1');
        expect(await gateway.auditRows(tenant.companyId)).toMatchObject([
          {
            ...{ tool: 'get_bandit_state', error_type: 'invalid_arguments' },
            request_id: refused.headers.get('x-request-id'),
            input: createHash('sha256').update('{"top_n":3}').digest('hex'),
          },
        ]);
        expect((await gateway.call(tenant.apiKey, 'get_bandit_state')).status).toBe(200);
      },
    );

    it('that cannot be written takes the data with it, and gives the quota back', async () => {
      const tenant = await gateway.addTenant({ name: 'Unlucky', monthly: 2 });
      await plantCompany(gateway.database, tenant.companyId);
      await gateway.database.query('REVOKE INSERT ON audit_log FROM outcomes_reader');
      try {
        for (let attempt = 0; attempt < 4; attempt += 1) {
          const answer = await gateway.call(tenant.apiKey, 'get_bandit_state');
          expect(errorOf(answer).code).toBe('internal_error');
          expect(answer.body.result).toMatchObject({ isError: true });
          expect(answer.body.result).not.toHaveProperty('structuredContent');
          expect(answer.text).not.toMatch(/posterior_mean|permission denied for|audit_log/);
        }
      } finally {
        await gateway.database.query('GRANT INSERT ON audit_log TO outcomes_reader');
      }
      const answer = await gateway.call(tenant.apiKey, 'get_bandit_state');
      expect(documentOf(answer).arm_count).toBe(22);
    });
  });

  describe('another tenant', () => {
    it('is denied, and both tenants read the attempt: one in full, one without who it was', async () => {
      const caller = await gateway.addTenant({ name: 'Curious' });
      const target = await gateway.addTenant({ name: 'Target' });
      await plantCompany(gateway.database, target.companyId);
      const denied = await gateway.call(caller.apiKey, 'get_bandit_state', { tenant_id: target.companyId });
      expect(errorOf(denied).code).toBe('permission_denied');
      expect(documentOf(denied).tenant_id).toBe(caller.companyId);
      expect(denied.text).not.toContain(target.companyId);

      const ownView = documentOf(await gateway.call(caller.apiKey, 'get_action_audit_log'));
      expect(ownView.entries).toHaveLength(1);
      expect(ownView.entries[0]).toMatchObject({ key_id: caller.keyId, error_type: 'permission_denied' });
      expect(ownView.alerts).toContain('denied_attempts_present');
      const otherView = documentOf(await gateway.call(target.apiKey, 'get_action_audit_log'));
      expect(otherView.entries).toHaveLength(1);
      expect(otherView.entries[0]).toMatchObject({
        entry_id: ownView.entries[0].entry_id,
        error_type: 'permission_denied',
        key_id: null,
        actor_id: null,
      });
      expect(JSON.stringify(otherView)).not.toMatch(new RegExp(`${caller.keyId}|${caller.companyId}`));
    });

    it('is denied and told of the attempt whatever version the call is of', async () => {
      const caller = await gateway.addTenant({ name: 'Curious' });
      const target = await gateway.addTenant({ name: 'Target' });
      const denied = await callOf('2019-01-01', caller.apiKey, { tenant_id: target.companyId });
      expect(seen(denied)).toEqual([400, 7, -32000]);
      expect(await gateway.auditRows(caller.companyId)).toMatchObject([
        { error_type: 'permission_denied', requested_company_id: target.companyId },
      ]);
      const { entries } = documentOf(await gateway.call(target.apiKey, 'get_action_audit_log'));
      expect(entries).toMatchObject([{ error_type: 'permission_denied', key_id: null }]);
    });

    it('that exists and one that does not are denied in the same words', async () => {
      const caller = await gateway.addTenant({ name: 'Prober' });
      const target = await gateway.addTenant({ name: 'Probed' });
      const words = async (tenantId: string) => {
        const { as_of: _now, ...rest } = documentOf(
          await gateway.call(caller.apiKey, 'get_drift_state', { tenant_id: tenantId }),
        );
        return rest;
      };
      expect(await words(target.companyId)).toEqual(await words(NOBODY));
      expect(await words('acme')).toEqual(await words(NOBODY));
      expect(await gateway.auditRows(caller.companyId)).toHaveLength(4);
    });
  });

  describe('a credential that serves several tenants', () => {
    it('chooses by tenant_id, and its calls stand in that tenant’s log', async () => {
      const first = await gateway.addTenant({ name: 'First' });
      const second = await gateway.addTenant({ name: 'Second' });
      for (const { companyId } of [first, second]) {
        const answer = await gateway.call(rootToken, 'get_drift_state', { tenant_id: companyId });
        expect(documentOf(answer).tenant_id).toBe(companyId);
        expect(await gateway.auditRows(companyId)).toMatchObject([{ key_id: 'root', status: 'success' }]);
      }
    });

    it('lists tools without choosing, and is told to choose before it calls one', async () => {
      expect((await gateway.rpc(rootToken, 'tools/list')).body.result.tools).toHaveLength(7);
      expect(errorOf(await gateway.call(rootToken, 'get_drift_state'))).toMatchObject({
        code: 'invalid_arguments',
        field: 'tenant_id',
      });
      expect(await gateway.auditRows(NO_COMPANY)).toMatchObject([
        { key_id: 'root', error_type: 'invalid_arguments' },
      ]);
    });

    it('is denied a tenant that does not exist', async () => {
      const answer = await gateway.call(rootToken, 'get_drift_state', { tenant_id: NOBODY });
      expect(errorOf(answer).code).toBe('permission_denied');
    });
  });

  describe('limits', () => {
    it('count calls and nothing else', async () => {
      const tenant = await gateway.addTenant({ name: 'Careful', burst: 2, monthly: 2 });
      for (let time = 0; time < 3; time += 1) {
        for (const method of ['tools/list', 'resources/list', 'prompts/list', 'ping']) {
          const answer = await gateway.rpc(tenant.apiKey, method, {});
          expect(answer.status).toBe(200);
          expect(answer.headers.has('ratelimit-limit')).toBe(false);
        }
      }
      const first = await gateway.call(tenant.apiKey, 'get_drift_state');
      expect(first.headers.get('ratelimit-limit')).toBe('2');
      expect(first.headers.get('ratelimit-remaining')).toBe('1');
      expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
      await gateway.call(tenant.apiKey, 'get_drift_state');
      const third = await gateway.call(tenant.apiKey, 'get_drift_state');
      expect(third.status).toBe(429);
      expect(third.body).toMatchObject({ success: false, error: 'RATE_LIMITED' });
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await gateway.rpc(tenant.apiKey, 'tools/list')).status).toBe(200);
    });

    it('of the month are refused with their figures, and the row hashes the body that was sent', async () => {
      const tenant = await gateway.addTenant({ name: 'Spent', monthly: 1 });
      await gateway.call(tenant.apiKey, 'get_drift_state');
      const refused = await gateway.call(tenant.apiKey, 'get_drift_state');
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({ error: 'QUOTA_EXCEEDED', quotaLimit: 1, currentUsage: 1 });
      expect(refused.body.resetAt).toMatch(/^\d{4}-\d\d-01T00:00:00.000Z$/);
      const sorted = JSON.stringify(refused.body, Object.keys(refused.body).sort());
      const [, row] = await gateway.auditRows(tenant.companyId);
      expect(row).toMatchObject({
        error_type: 'quota_exceeded',
        output: createHash('sha256').update(sorted).digest('hex'),
      });
    });

    it('of the month are not touched by bad arguments and unknown tools, and are by a denial', async () => {
      const tenant = await gateway.addTenant({ name: 'Clumsy', monthly: 2 });
      for (let time = 0; time < 5; time += 1) {
        expect(errorOf(await gateway.call(tenant.apiKey, 'get_bandit_state', { top_n: 0 })).code).toBe(
          'invalid_arguments',
        );
        expect((await gateway.call(tenant.apiKey, 'nope')).body.error.code).toBe(-32602);
        const made = await gateway.call(tenant.apiKey, 'get_action_audit_log', { cursor: 'made-up' });
        expect(errorOf(made).code).toBe('invalid_arguments');
      }
      await gateway.call(tenant.apiKey, 'get_drift_state', { tenant_id: NOBODY });
      expect((await gateway.call(tenant.apiKey, 'get_drift_state')).status).toBe(200);
      expect((await gateway.call(tenant.apiKey, 'get_drift_state')).status).toBe(429);
      expect(errorOf(await gateway.call(tenant.apiKey, 'get_bandit_state', { top_n: 0 })).code).toBe(
        'invalid_arguments',
      );
    });

    it('and keys that near their end are disclosed', async () => {
      const tenant = await gateway.addTenant({
        name: 'Ending',
        monthly: 10,
        expiresAt: new Date(Date.now() + 13 * DAY_MS),
      });
      const alerts = async () => documentOf(await gateway.call(tenant.apiKey, 'get_drift_state')).alerts;
      expect(await alerts()).toContain('key_expires_soon');
      expect(await alerts()).not.toContain('quota_nearly_exhausted');
      for (let call = 3; call < 9; call += 1) await alerts();
      expect(await alerts()).toContain('quota_nearly_exhausted');
    });
  });

  it('counts calls by tool and result for operators, who learn no tenant from it', async () => {
    const tenant = await gateway.addTenant({ name: 'Counted' });
    await gateway.call(tenant.apiKey, 'get_recipient_intelligence', { contact_id: 'canary-contact-4712' });
    await gateway.call(tenant.apiKey, 'get_campaign_health', { campaign_id: '' });
    const lines = (await gateway.metrics())
      .split('\n')
      .filter((line) => line.startsWith('mcp_tool_call_duration_seconds_count'));
    const labelled = (tool: string, result: string) =>
      expect.stringMatching(new RegExp(`tool="${tool}",result="${result}"\\} [1-9]\\d*$`));
    expect(lines).toContainEqual(labelled('get_recipient_intelligence', 'success'));
    expect(lines).toContainEqual(labelled('get_campaign_health', 'invalid_arguments'));
    expect(await gateway.metrics()).not.toMatch(
      new RegExp(`canary-contact-4712|${tenant.companyId}|${tenant.keyId}`),
    );
  });

  it('writes no key, argument or document to its log', async () => {
    const tenant = await gateway.addTenant({ name: 'Quiet' });
    await gateway.call(tenant.apiKey, 'get_recipient_intelligence', { contact_id: 'canary-contact-4711' });
    await gateway.call(tenant.apiKey, 'get_campaign_health', { campaign_id: 'canary-contact-4711' });
    await gateway.call(`${tenant.apiKey}0`, 'get_drift_state');
    expect(gateway.output()).toContain('"route":"/mcp"');
    expect(gateway.output()).not.toMatch(/canary-contact-4711|svc_/);
  });
});
