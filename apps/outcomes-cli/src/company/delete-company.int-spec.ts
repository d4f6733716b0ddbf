import { randomUUID } from 'node:crypto';
import { BY_THE_SERVICE, INSTALLATION } from '@outcomes/audit';
import { createTestDatabase, waitUntil, waitingForLock, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { deleteCompany } from './delete-company';

/** What a process may still write of a company that it believes in. */
const LATE = {
  usage_months: `(company_id, key_id, month, used) VALUES ($1, 'operations', '2026-03-01', 7)`,
  audit_log: `(company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status, latency_ms, input_sha256,
    request_id) VALUES ($1, gen_random_uuid(), now(), 'operations', 'user', 'ada', 'get_drift_state', 'success', 1,
    sha256(''), 'request')`,
  audit_seals: `(company_id, seal_no, from_sequence, to_sequence, row_count, sealed_at, root_sha256, previous_sha256,
    seal_sha256) VALUES ($1, 1, 1, 1, 1, now(), sha256(''), sha256(''), sha256(''))`,
  audit_call_counts: `(company_id, day, tool, status, is_denied, calls, to_sequence)
    VALUES ($1, '2026-03-01', 'get_drift_state', 'success', false, 1, 1)`,
} as const;
type Table = keyof typeof LATE;

const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('audit-seals.' || $1, 0))`;
const atOnce = () => Promise.resolve();

describe('deleting a company', () => {
  let database: TestDatabase;
  let companyId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    companyId = randomUUID();
    await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, 'Leaving']);
  });

  const write = (table: Table, id = companyId) => database.query(`INSERT INTO ${table} ${LATE[table]}`, [id]);
  const writeAll = async () => {
    for (const table of Object.keys(LATE) as Table[]) await write(table);
  };
  const left = async () => {
    const found: string[] = [];
    for (const table of [...Object.keys(LATE), 'companies', 'erasures']) {
      const rows = await database.query(`SELECT FROM ${table} WHERE company_id = $1`, [companyId]);
      found.push(...rows.map(() => table));
    }
    return found;
  };
  const recorded = async () => {
    const rows = await database.query<{ rows: number }>(
      `SELECT (details->>'rows')::int AS rows FROM administration_log
       WHERE company_id = $1 AND action = 'company.delete' AND subject = $2 ORDER BY entry_no`,
      [INSTALLATION, companyId],
    );
    return rows.map(({ rows: count }) => count);
  };
  const remove = (wait: () => Promise<unknown> = atOnce, url = database.ownerUrl) => {
    const progress = { update: () => undefined, stop: () => undefined };
    return deleteCompany(url, BY_THE_SERVICE, companyId, () => progress, wait);
  };

  it('deletes what is written while processes still believe in it', async () => {
    await write('usage_months');
    const isGone = async () =>
      (await database.query('SELECT FROM companies WHERE company_id = $1', [companyId])).length === 0;
    const summary = await remove(async () => {
      if (await isGone()) await writeAll();
    });
    expect(await left()).toEqual(['erasures']);
    // The company with one row, and the four that came late.
    expect(summary).toEqual({ companyId, rows: 6 });
    expect(await recorded()).toEqual([2, 4]);
  });

  it('is repeated for one that is gone, and deletes what was left behind', async () => {
    await remove();
    await writeAll();
    expect(await remove()).toEqual({ companyId, rows: 4 });
    expect(await left()).toEqual(['erasures']);
    expect(await recorded()).toEqual([1, 4]);
    expect(await remove()).toEqual({ companyId, rows: 0 });
    expect(await recorded()).toEqual([1, 4]);
  });

  it('refuses an id that never was one, whatever is written of it', async () => {
    const nobody = randomUUID();
    await write('usage_months', nobody);
    companyId = nobody;
    await expect(remove()).rejects.toThrow('there is no company');
    expect(await left()).toEqual(['usage_months']);
  });

  it('changes nothing with a login that could not delete everything', async () => {
    await database.query(
      `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, expires_at)
       VALUES ($1, 'operationskey000', sha256(''), '{}', now() + interval '1 day')`,
      [companyId],
    );
    await expect(remove(atOnce, await database.loginAs('outcomes_admin'))).rejects.toThrow(
      'needs the owner of the tables; nothing was changed',
    );
    expect(
      await database.query('SELECT revoked_at FROM api_keys WHERE company_id = $1', [companyId]),
    ).toEqual([{ revoked_at: null }]);
  });

  it('leaves in the log that it was begun, where it is broken off', async () => {
    await expect(remove(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(
      await database.query(
        'SELECT action, details FROM administration_log WHERE company_id = $1 AND subject = $2',
        [INSTALLATION, companyId],
      ),
    ).toEqual([{ action: 'company.begin_deletion', details: {} }]);
  });

  it('waits for a sealer that has read the rows, and deletes its seal and counts', async () => {
    const sealer = new Client({ connectionString: database.ownerUrl });
    await sealer.connect();
    try {
      await sealer.query('BEGIN');
      await sealer.query(TURN, [companyId]);
      let isDone = false;
      const removing = remove().finally(() => (isDone = true));
      await waitUntil('the deletion to wait, or to be done', async () => {
        const waiting = await waitingForLock(database, 'advisory');
        return isDone || waiting.length > 0;
      });
      for (const table of ['audit_seals', 'audit_call_counts'] as const)
        await sealer.query(`INSERT INTO ${table} ${LATE[table]}`, [companyId]);
      await sealer.query('COMMIT');
      await removing;
      expect(await left()).toEqual(['erasures']);
    } finally {
      await sealer.end();
    }
  });
});
