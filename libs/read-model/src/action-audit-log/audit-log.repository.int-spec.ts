import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantCall } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { AuditLogRepository } from './audit-log.repository';

describe('AuditLogRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  const entries: Record<'first' | 'second' | 'denied' | 'foreign', string> = {
    first: '',
    second: '',
    denied: '',
    foreign: '',
  };
  let database: ReadingDatabase;
  let repository: AuditLogRepository;

  beforeAll(async () => {
    database = await openReadingDatabase('America/Los_Angeles');
    repository = new AuditLogRepository(database.reader);
    const { owner } = database;
    // Written down out of order, as slow calls are: the order is that of their arrival.
    entries.second = await plantCall(owner, {
      companyId: tenantA.companyId,
      at: '2026-01-02T00:00:00Z',
      errorType: 'invalid_arguments',
      tool: 'get_drift_state',
    });
    entries.first = await plantCall(owner, { companyId: tenantA.companyId, at: '2026-01-01T00:00:00Z' });
    entries.denied = await plantCall(owner, {
      companyId: tenantB.companyId,
      requestedCompanyId: tenantA.companyId,
      at: '2026-01-03T00:00:00Z',
      errorType: 'permission_denied',
      actorId: 'CANARY-B',
    });
    entries.foreign = await plantCall(owner, { companyId: tenantB.companyId, at: '2026-01-04T00:00:00Z' });
  });
  afterAll(() => database.close());

  it('lists the own calls and the refused ones that asked for the tenant, newest first', async () => {
    const rows = await repository.page(tenantA, {}, 10, undefined);
    expect(rows.map((row) => row.entryId)).toEqual([entries.denied, entries.second, entries.first]);
  });

  it('does not tell who asked for the tenant in vain', async () => {
    const [denied, own] = await repository.page(tenantA, {}, 2, undefined);
    expect(denied).toMatchObject({ errorType: 'permission_denied', keyId: null, actorId: null });
    expect(own).toMatchObject({ keyId: 'KEYKEYKEYKEYKEY1', actorId: 'agent-7' });
    expect(JSON.stringify(denied)).not.toContain('CANARY-B');
  });

  it("shows tenant B its own refused call in full, and nothing of tenant A's", async () => {
    const rows = await repository.page(tenantB, {}, 10, undefined);
    expect(rows.map((row) => [row.entryId, row.actorId])).toEqual([
      [entries.foreign, 'agent-7'],
      [entries.denied, 'CANARY-B'],
    ]);
  });

  it('goes on behind the last row of the page before', async () => {
    const rows = await repository.page(tenantA, {}, 1, entries.denied);
    expect(rows.map((row) => row.entryId)).toEqual([entries.second]);
    expect(await repository.page(tenantA, {}, 1, entries.first)).toEqual([]);
  });

  it('refuses a page mark that belongs to tenant B, as it refuses one of nobody', async () => {
    await expect(repository.page(tenantA, {}, 1, entries.foreign)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      fields: { parameter: 'cursor' },
    });
    await expect(repository.page(tenantA, {}, 1, randomUUID())).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      fields: { parameter: 'cursor' },
    });
  });

  it('filters by tool, status and time: since is inside, until outside', async () => {
    const ids = async (filter: Parameters<AuditLogRepository['page']>[1]) =>
      (await repository.page(tenantA, filter, 10, undefined)).map((row) => row.entryId);
    expect(await ids({ tool: 'get_drift_state' })).toEqual([entries.second]);
    expect(await ids({ status: 'success' })).toEqual([entries.first]);
    expect(await ids({ since: new Date('2026-01-02T00:00:00Z') })).toEqual([entries.denied, entries.second]);
    expect(await ids({ until: new Date('2026-01-02T00:00:00Z') })).toEqual([entries.first]);
  });

  it('finds the newest calls of others by index, however many asked for the tenant', async () => {
    await database.owner.query('BEGIN');
    try {
      await database.owner.query(
        `INSERT INTO audit_log (company_id, entry_id, occurred_at, requested_company_id, key_id, actor_type, actor_id, tool,
           status, error_type, latency_ms, input_sha256, request_id)
         SELECT $1, gen_random_uuid(), now() - n * interval '1 second', $2, 'k', 'user', 'u', 'get_drift_state', 'error',
           'permission_denied', 1, sha256(''), 'r' FROM generate_series(1, 5000) AS n`,
        [tenantB.companyId, tenantA.companyId],
      );
      await database.owner.query('ANALYZE audit_log');
      const plan = await database.owner.query(
        `EXPLAIN SELECT entry_id FROM audit_log WHERE requested_company_id = $1 AND company_id <> $1
         ORDER BY occurred_at DESC, sequence DESC LIMIT 10`,
        [tenantA.companyId],
      );
      // Mutation: all of them are read and sorted for the ten.
      expect(JSON.stringify(plan)).toContain('audit_log_requested_by_time');
      expect(JSON.stringify(plan)).not.toContain('Sort');
    } finally {
      await database.owner.query('ROLLBACK');
    }
  });

  it('returns hashes as lower-case hexadecimal', async () => {
    const [row] = await repository.page(tenantA, {}, 1, undefined);
    expect(row?.inputSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.outputSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('counts over all pages, per tool, status and refusal', async () => {
    expect(await repository.tally(tenantA, {})).toEqual([
      { tool: 'get_bandit_state', status: 'error', denied: true, calls: 1 },
      { tool: 'get_bandit_state', status: 'success', denied: false, calls: 1 },
      { tool: 'get_drift_state', status: 'error', denied: false, calls: 1 },
    ]);
  });

  it("counts none of tenant A's calls for tenant B", async () => {
    const tally = await repository.tally(tenantB, {});
    expect(tally.reduce((sum, row) => sum + row.calls, 0)).toBe(2);
  });

  describe('counts, where a part of the log is counted already,', () => {
    const tenant = mintTenantScope(randomUUID());
    const TOOLS = ['get_bandit_state', 'get_drift_state'];
    const ERRORS = [undefined, 'permission_denied', 'invalid_arguments'];
    const calls: { at: string; tool: string; errorType: string | undefined; isForeign: boolean }[] = [];

    beforeAll(async () => {
      for (let n = 0; n < 60; n += 1) {
        const call = {
          // From noon of one day on to the next ones, some at midnight to the millisecond.
          at: new Date(Date.UTC(2026, 2, 1, 12 + ((n * 13) % 90), 0, 0, n % 5 === 0 ? 1 : 0)).toISOString(),
          tool: TOOLS[n % 2] ?? '',
          errorType: ERRORS[n % 3],
        };
        const isForeign = n % 15 === 7;
        calls.push({ ...call, isForeign });
        const foreign = { companyId: tenantB.companyId, requestedCompanyId: tenant.companyId };
        await plantCall(database.owner, { ...call, ...(isForeign ? foreign : tenant) });
      }
    });

    const HOURS = [
      '2026-03-01T12:00:00Z',
      '2026-03-02T00:00:00Z',
      '2026-03-02T00:00:00.001Z',
      '2026-03-02T17:00:00Z',
      '2026-03-03T00:00:00Z',
      '2026-03-04T06:00:00Z',
    ].map((hour) => new Date(hour));
    const windows = [undefined, ...HOURS].flatMap((since) =>
      [undefined, ...HOURS].map((until) => ({ since, until })),
    );
    const others = [{}, { tool: 'get_drift_state' }, { status: 'error' as const }];
    const filters = windows.flatMap((window) => others.map((other) => ({ ...window, ...other })));

    const expected = (filter: (typeof filters)[number] & { tool?: string; status?: string }) => {
      const tally = new Map<string, number>();
      for (const { at, tool, errorType } of calls) {
        const status = errorType === undefined ? 'success' : 'error';
        const isAsked =
          (filter.tool ?? tool) === tool &&
          (filter.status ?? status) === status &&
          (!filter.since || new Date(at) >= filter.since) &&
          (!filter.until || new Date(at) < filter.until);
        const key = [tool, status, errorType === 'permission_denied'].join(' ');
        if (isAsked) tally.set(key, (tally.get(key) ?? 0) + 1);
      }
      return Object.fromEntries(tally);
    };

    // None, a part in the middle of days, all of it.
    it.each([0, 23, 60])(
      'the first %i of sixty calls, as by reading every row, whatever is asked',
      async (first) => {
        await database.owner.query('DELETE FROM audit_call_counts WHERE company_id = $1', [tenant.companyId]);
        const rows = await database.owner.query<{ sequence: string }>(
          `SELECT sequence::text FROM audit_log WHERE company_id = $1 ORDER BY audit_log.sequence`,
          [tenant.companyId],
        );
        const own = calls.filter(({ isForeign }) => !isForeign);
        for (const [n, { at, tool, errorType }] of own.entries()) {
          if (n >= first) break;
          await database.owner.query(
            `INSERT INTO audit_call_counts AS known VALUES ($1, $2, $3, $4, $5, 1, $6)
             ON CONFLICT (company_id, day, tool, status, is_denied)
             DO UPDATE SET calls = known.calls + 1, to_sequence = excluded.to_sequence`,
            [
              ...[tenant.companyId, at.slice(0, 10), tool, errorType === undefined ? 'success' : 'error'],
              ...[errorType === 'permission_denied', rows[n]?.sequence],
            ],
          );
        }
        for (const filter of filters) {
          const tally = await repository.tally(tenant, filter);
          const found = tally.map(({ tool, status, denied, calls: count }) => [
            [tool, status, denied].join(' '),
            count,
          ]);
          expect([filter, Object.fromEntries(found)]).toEqual([filter, expected(filter)]);
        }
      },
    );
  });
});
