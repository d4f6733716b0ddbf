import { randomUUID } from 'node:crypto';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { permittedChanges } from '../../test/permitted-changes';
import { SealedLog } from '../../test/sealed-log';
import { ROWS_PER_COUNT } from './call-counts.repository';

const INSUFFICIENT_PRIVILEGE = '42501';
const SERVICE_ROLES = ['outcomes_reader', 'outcomes_ingest', 'outcomes_worker', 'outcomes_admin'];

describe('sealing the audit log', () => {
  let log: SealedLog;

  beforeAll(async () => {
    log = await SealedLog.create();
  });
  afterAll(() => log.fixture.stop());

  it('covers every row up to the horizon once, in seals of a thousand, each holding the one before', async () => {
    const companyId = randomUUID();
    await log.write(companyId, 2_500);
    const horizon = await log.horizon();
    await log.write(companyId, 3);
    expect(await log.sealer.seal(mintTenantScope(companyId), horizon)).toEqual({ rows: 2_500, seals: 3 });
    const seals = await log.fixture.database.query<Record<string, unknown>>(
      `SELECT seal_no, row_count, from_sequence > lag(to_sequence, 1, 0::bigint) OVER chain AS behind,
              previous_sha256 = lag(seal_sha256, 1, decode(repeat('00', 32), 'hex')) OVER chain AS chained
         FROM audit_seals WHERE company_id = $1 WINDOW chain AS (ORDER BY seal_no)`,
      [companyId],
    );
    expect(seals).toEqual(
      [1_000, 1_000, 500].map((row_count, n) => ({ seal_no: n + 1, row_count, behind: true, chained: true })),
    );
  });

  it('seals nothing twice, also with twenty sealers of two workers at once', async () => {
    const companyId = randomUUID();
    await log.write(companyId, 2_200);
    const horizon = await log.horizon();
    // Mutation: without the lock two of these make the same seal, and one of them fails.
    const sealed = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (log.sealers[n % 2] ?? log.sealer).seal(mintTenantScope(companyId), horizon),
      ),
    );
    expect(sealed.reduce((rows, one) => rows + one.rows, 0)).toBe(2_200);
    expect(await log.sealer.seal(mintTenantScope(companyId), horizon)).toEqual({ rows: 0, seals: 0 });
    expect(await log.verify(companyId)).toMatchObject({ rows: 2_200, intact: true });
  });

  it('waits for a row that drew its number early and commits late', async () => {
    const companyId = randomUUID();
    const writer = log.fixture.module.get(TenantDatabase);
    const scope = mintSystemScope({ 'app.audit_company_ids': `{${companyId}}` });
    await writer.unscoped(scope, async ({ client }) => {
      await client.query(
        `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
           latency_ms, input_sha256, request_id)
         VALUES ($1, $2, now(), 'k', 'agent', 'late', 't', 'success', 1, sha256('x'), 'r')`,
        [companyId, randomUUID()],
      );
      await log.write(companyId, 5);
      // Mutation: a horizon that asks for nothing but the newest visible row seals past the late one.
      expect(await log.sealer.settle(await log.sealer.note())).toBeUndefined();
    });
    await log.seal(companyId);
    expect(await log.verify(companyId)).toMatchObject({ rows: 6, seals: 1, intact: true });
  });

  describe('counts the calls that it seals', () => {
    const TOOLS = ['get_bandit_state', 'get_drift_state', 'no such tool'];
    const ERRORS = [null, null, 'permission_denied', 'invalid_arguments'];
    /** Thirty-one hours between rows, so that many fall on another day in UTC than in Auckland. */
    const plant = (companyId: string, from: number, rows: number) =>
      log.fixture.database.query(
        `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status,
           error_type, latency_ms, input_sha256, request_id)
         SELECT $1, gen_random_uuid(), '2026-01-01T00:00:00Z'::timestamptz + (n % 97) * interval '31 hours', 'k',
           'agent', 'a', ($4::text[])[1 + n % 3], CASE WHEN error IS NULL THEN 'success' ELSE 'error' END, error, 1,
           sha256('x'), 'r'
         FROM generate_series($2::int, $2::int + $3::int - 1) AS n,
           LATERAL (SELECT ($5::text[])[1 + n / 3 % 4]) AS errors (error) ORDER BY n`,
        [companyId, from, rows, TOOLS, ERRORS],
      );
    const expected = (rows: number) => {
      const calls: Record<string, number> = {};
      for (let n = 0; n < rows; n += 1) {
        const day = new Date(Date.UTC(2026, 0, 1, (n % 97) * 31)).toISOString().slice(0, 10);
        const error = ERRORS[Math.floor(n / 3) % 4] ?? null;
        const outcome = error === null ? 'success' : error === 'permission_denied' ? 'denied' : 'error';
        const key = [day, TOOLS[n % 3], outcome].join(' ');
        calls[key] = (calls[key] ?? 0) + 1;
      }
      return calls;
    };
    const counted = async (companyId: string) => {
      const rows = await log.fixture.database.query<{ key: string; calls: number }>(
        `SELECT concat_ws(' ', day, tool, CASE WHEN is_denied THEN 'denied' ELSE status END) AS key, calls
           FROM audit_call_counts WHERE company_id = $1`,
        [companyId],
      );
      return Object.fromEntries(rows.map(({ key, calls }) => [key, calls]));
    };

    /** Other sealers, whose sessions have days of their own. */
    const inAuckland = async () => {
      const inZone = (change: string) =>
        log.fixture.database.query(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${change}', current_database()); END $$`,
        );
      await inZone(`SET timezone TO ''Pacific/Auckland''`);
      const other = await SealedLog.on(log.fixture);
      await Promise.all(other.sealers.map((sealer) => sealer.note()));
      await inZone('RESET timezone');
      return other;
    };

    it('by day of UTC, tool and outcome, also with twenty sealers of two workers at once', async () => {
      const companyId = randomUUID();
      const { sealers } = await inAuckland();
      let rows = 0;
      for (const more of [1_203, 911, 1]) {
        await plant(companyId, rows, more);
        rows += more;
        const horizon = await log.horizon();
        // Mutation: sealers that do not take turns count the same rows twice.
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (sealers[n % 2] ?? log.sealer).seal(mintTenantScope(companyId), horizon),
          ),
        );
        expect(await counted(companyId)).toEqual(expected(rows));
      }
    });

    it('and those that were sealed before there were counts, a part at a time', async () => {
      const companyId = randomUUID();
      const parts = 2 * ROWS_PER_COUNT + 17;
      await plant(companyId, 0, parts);
      const horizon = await log.horizon();
      await log.sealer.seal(mintTenantScope(companyId), horizon);
      await log.tamper(companyId, 'DELETE FROM audit_call_counts WHERE company_id = $1');
      expect(await log.sealer.seal(mintTenantScope(companyId), horizon)).toEqual({ rows: 0, seals: 0 });
      expect(await counted(companyId)).toEqual(expected(parts));
    });

    it('but none beyond the horizon, where a row may still appear between two', async () => {
      const companyId = randomUUID();
      await plant(companyId, 0, 12);
      const horizon = await log.horizon();
      await plant(companyId, 12, 5);
      await log.sealer.seal(mintTenantScope(companyId), horizon);
      expect(await counted(companyId)).toEqual(expected(12));
    });
  });

  it('stops between two seals when it is told to', async () => {
    const companyId = randomUUID();
    await log.write(companyId, 10);
    const sealed = log.sealer.seal(mintTenantScope(companyId), await log.horizon(), AbortSignal.abort());
    expect(await sealed).toEqual({ rows: 0, seals: 0 });
  });

  it('finds the companies with rows between two places, and none without such a mark', async () => {
    const [earlier, later] = [randomUUID(), randomUUID()];
    await log.write(earlier, 3);
    const from = await log.horizon();
    await log.write(later, 3);
    const to = await log.horizon();
    await log.write(earlier, 1);
    expect(await log.sealer.companiesBetween(from, to)).toEqual([later]);
    const worker = await log.fixture.databaseAs('outcomes_worker');
    const seen = await worker.unscoped(mintSystemScope(), ({ client }) =>
      client.query('SELECT FROM audit_log'),
    );
    expect(seen.rowCount).toBe(0);
  });

  describe('lets no service change a seal', () => {
    const permitted = async (group: string) =>
      permittedChanges(await log.fixture.databaseAs(group), 'audit_seals', 'row_count = 1');

    it.each(SERVICE_ROLES)('%s is refused every way', async (group) => {
      const companyId = await log.sealedCompany(4);
      expect(await permitted(group)).toEqual([]);
      expect(await log.verify(companyId)).toMatchObject({ seals: 2, intact: true });
    });

    it.each(['UPDATE', 'DELETE', 'TRUNCATE'])('and a role that is granted %s is found', async (privilege) => {
      await log.fixture.database.query(`GRANT ${privilege} ON audit_seals TO outcomes_worker`);
      try {
        expect(await permitted('outcomes_worker')).toEqual([privilege]);
      } finally {
        await log.fixture.database.query(`REVOKE ${privilege} ON audit_seals FROM outcomes_worker`);
      }
    });
  });

  it('shows and takes seals of the own company only', async () => {
    const companyId = await log.sealedCompany(4);
    const worker = await log.fixture.databaseAs('outcomes_worker');
    const other = mintTenantScope(randomUUID());
    const seen = await worker.transaction(other, ({ client }) => client.query('SELECT FROM audit_seals'));
    expect(seen.rowCount).toBe(0);
    const forged = worker.transaction(other, ({ client }) =>
      client.query(
        `INSERT INTO audit_seals VALUES ($1, 3, 1, 1, 1, now(), sha256('a'), sha256('b'), sha256('c'))`,
        [companyId],
      ),
    );
    await expect(forged).rejects.toMatchObject({ cause: { code: INSUFFICIENT_PRIVILEGE } });
  });
});
