import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantCall } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { encodeCursor } from '../arguments/cursor';
import { RunRepository } from '../runs/run.repository';
import { ActionAuditLogService } from './action-audit-log.service';
import { AuditLogRepository } from './audit-log.repository';

const PAYLOADS = 'payloads_not_stored_only_sha256_hashes';

describe('the audit trail', () => {
  const company = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let service: ActionAuditLogService;
  let ids: string[];

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner, reader } = database;
    const clock = { now: () => new Date('2026-02-01T06:00:00Z') };
    service = new ActionAuditLogService(new AuditLogRepository(reader), new RunRepository(reader), clock);
    const call = (day: number, fields: object = {}) =>
      plantCall(owner, { companyId: company.companyId, at: `2026-01-0${day}T00:00:00Z`, ...fields });
    ids = [
      await call(1),
      await call(2, { tool: 'get_drift\u200b_state', actorId: 'agent\u202e-8' }),
      await call(3, { errorType: 'invalid_arguments' }),
      await call(4, { errorType: 'permission_denied' }),
      // Somebody else asked for this company in vain.
      await call(5, {
        companyId: randomUUID(),
        requestedCompanyId: company.companyId,
        errorType: 'permission_denied',
      }),
    ].reverse();
  });
  afterAll(() => database.close());

  it('is summed up over all pages, whatever is on this one', async () => {
    const answer = await service.answer(company, { limit: 3 });
    expect(answer).toMatchObject({
      ...{ scope: 'company', entry_count: 3, total_count: 5, error_rate: 0.6 },
      tool_breakdown: { get_bandit_state: 4, get_drift_state: 1 },
      alerts: [PAYLOADS, 'denied_attempts_present', 'results_truncated', 'no_data_ingested_yet'],
      summary:
        '5 calls in the audit log, 3 on this page; 60.0 % failed, 2 were refused with permission_denied.',
    });
    const rest = await service.answer(company, { limit: 3, cursor: answer.next_cursor ?? '' });
    expect([...answer.entries, ...rest.entries].map(({ entry_id }) => entry_id)).toEqual(ids);
    expect([rest.next_cursor, rest.alerts.includes('results_truncated')]).toEqual([null, false]);
    expect((await service.answer(company, { limit: 5 })).next_cursor).toBeNull();
  });

  it('tells each call with hashes of what went in and out, and without hidden characters', async () => {
    const { entries } = await service.answer(company, {});
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(entries[3]).toEqual({
      ...{
        entry_id: ids[3],
        timestamp: '2026-01-02T00:00:00.000Z',
        tool: 'get_drift_state',
        status: 'success',
      },
      ...{
        error_type: null,
        latency_ms: 12.5,
        key_id: 'KEYKEYKEYKEYKEY1',
        actor_type: 'agent',
        actor_id: 'agent-8',
      },
      ...{ input_sha256: hash, output_sha256: hash },
    });
    expect(entries[2]).toMatchObject({ status: 'error', error_type: 'invalid_arguments' });
    expect(entries[0]).toMatchObject({ key_id: null, actor_id: null, error_type: 'permission_denied' });
  });

  it.each([
    [{ since: '2026-01-03T00:00:00Z' }, 3],
    [{ until: '2026-01-03T00:00:00Z' }, 2],
    [{ tool: 'get_bandit_state' as const, status: 'success' as const }, 1],
  ])('keeps to what is asked for: %j', async (query, count) => {
    expect((await service.answer(company, query)).total_count).toBe(count);
  });

  it('has no share of failures where there was no call', async () => {
    const answer = await service.answer(mintTenantScope(randomUUID()), {});
    expect(answer).toMatchObject({ error_rate: 0, tool_breakdown: {}, next_cursor: null });
    expect(answer.alerts).toEqual([PAYLOADS, 'no_audit_entries_available', 'no_data_ingested_yet']);
  });

  it('refuses a page mark that is no id', async () => {
    const cursor = encodeCursor('audit', 'x');
    await expect(service.answer(company, { cursor })).rejects.toMatchObject({
      fields: { parameter: 'cursor' },
    });
  });
});
