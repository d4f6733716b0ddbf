import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import type { TestDatabase } from '@outcomes/testing';
import { ROWS, valueOf } from './canary-values';
import { documentsOf } from './documents';
import { columnsOfTenants, TEXT_TYPES } from './tenant-columns';

/**
 * Rows of one company in every tenant table, with the canary in every text. Tables are found in the catalogue, so a
 * new one is filled too, or makes this fail until somebody says how.
 * @param canary - letters and digits, at most 12
 * @param requestedBy - another company that rows of the audit log say was asked for
 */
export async function plantCanaries(
  database: TestDatabase,
  companyId: string,
  canary: string,
  requestedBy: string,
): Promise<void> {
  const columns = await columnsOfTenants(database);
  const tables = [...new Set(columns.map(({ table }) => table))];
  for (const table of tables) {
    if (table === 'companies') continue;
    const own = columns.filter((column) => column.table === table && !column.generated);
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const values = Object.fromEntries(
        own.map((column) => [column.column, valueOf(column, companyId, canary, row)]),
      );
      // A refused call of this company that the other one may read, without who it was.
      if (table === 'audit_log' && row === 0) {
        Object.assign(values, { requested_company_id: requestedBy, tool: 'get_drift_state' });
        Object.assign(values, { error_type: 'permission_denied', actor_type: 'agent', status: 'error' });
        // The newest of all, so that it stands on the first page.
        values.occurred_at = new Date(Date.now() + DAY_MS);
      }
      return values;
    });
    await insert(database, table, rows);
  }
  const documents = [...documentsOf(canary)].map(([document, value]) => ({
    ...{ company_id: companyId, document, run_id: randomUUID(), etag: `${canary}_${document}` },
    ...{ data_as_of: new Date(), updated_at: new Date(), body: JSON.stringify(value) },
  }));
  await insert(database, 'snapshots', documents);
  await database.query(
    `UPDATE companies SET name = $2, portal_id = $3, time_zone = $4 WHERE company_id = $1`,
    [companyId, `${canary}_name`, `${canary}_portal`, `${canary}_zone`],
  );
}

/** Text columns in which a company has no canary, apart from those that the schema gives a list for. */
export async function columnsWithoutCanary(
  database: TestDatabase,
  companyId: string,
  canary: string,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { table, column, type, listed, generated } of await columnsOfTenants(database)) {
    const name = `${table}.${column}`;
    if (!TEXT_TYPES.includes(type) || listed !== null || generated) continue;
    const [found] = await database.query(
      `SELECT 1 FROM ${table} WHERE company_id = $1 AND ${column}::text LIKE $2 LIMIT 1`,
      [companyId, `%${canary}%`],
    );
    if (!found) missing.push(name);
  }
  return missing;
}

/** One value per table that changes when anything of a company changes. */
export async function fingerprintOf(database: Pick<TestDatabase, 'query'>, companyId: string) {
  const tables = [...new Set((await columnsOfTenants(database)).map(({ table }) => table))];
  const prints: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await database.query(
      `SELECT count(*) AS rows, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) AS print
       FROM ${table} t WHERE company_id = $1`,
      [companyId],
    );
    prints[table] = rows[0];
  }
  return prints;
}

/** Rows with the same columns, in one statement: tables and rows are many, and so are the companies of all suites. */
async function insert(
  database: TestDatabase,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
) {
  const names = Object.keys(rows[0] ?? {});
  const places = rows.map(
    (_row, at) => `(${names.map((_name, nth) => `$${at * names.length + nth + 1}`).join(', ')})`,
  );
  await database.query(
    // Some tables have one row for each company.
    `INSERT INTO ${table} (${names.join(', ')}) VALUES ${places.join(', ')} ON CONFLICT DO NOTHING`,
    rows.flatMap((row) => names.map((name) => row[name])),
  );
}
