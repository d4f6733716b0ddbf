import { randomUUID } from 'node:crypto';
import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import type { AuditEntry } from './audit-entry';

/** Rows of many companies go in together. */
const EVERYBODY = mintSystemScope();

interface Column {
  readonly name: string;
  readonly type: string;
  readonly of: (entry: AuditEntry) => unknown;
}

const COLUMNS: readonly Column[] = [
  { name: 'company_id', type: 'uuid', of: (entry) => entry.companyId },
  { name: 'entry_id', type: 'uuid', of: () => randomUUID() },
  { name: 'occurred_at', type: 'timestamptz', of: (entry) => entry.occurredAt },
  { name: 'requested_company_id', type: 'uuid', of: (entry) => entry.requestedCompanyId ?? null },
  { name: 'key_id', type: 'text', of: (entry) => entry.keyId },
  { name: 'actor_type', type: 'text', of: (entry) => entry.actor.type },
  { name: 'actor_id', type: 'text', of: (entry) => entry.actor.id },
  { name: 'tool', type: 'text', of: (entry) => entry.tool },
  { name: 'status', type: 'text', of: (entry) => (entry.errorType === null ? 'success' : 'error') },
  { name: 'error_type', type: 'text', of: (entry) => entry.errorType },
  { name: 'latency_ms', type: 'real', of: (entry) => entry.latencyMs },
  { name: 'input_sha256', type: 'bytea', of: (entry) => entry.inputSha256 },
  { name: 'output_sha256', type: 'bytea', of: (entry) => entry.outputSha256 },
  { name: 'request_id', type: 'text', of: (entry) => entry.requestId },
];

/**
 * One statement, thus one round trip and one commit: the setting is local to the statement's own transaction, and the
 * FROM makes it hold before the first row reaches the policy. Without RETURNING, Citus would COPY the rows, which
 * Postgres refuses under row-level security.
 */
const insertOf = (rows: string) => `
  WITH companies AS MATERIALIZED (SELECT set_config('app.audit_company_ids', $1, true))
  INSERT INTO audit_log (${COLUMNS.map(({ name }) => name).join(', ')})
  SELECT ${rows}
  RETURNING 1`;
const parameters = (suffix: '' | '[]') =>
  COLUMNS.map(({ type }, at) => `$${at + 2}::${type}${suffix}`).join(', ');

/** A row by itself: as fourteen lists of one value it takes a third longer. */
const INSERT_ONE = insertOf(`${parameters('')} FROM companies`);
const INSERT_MANY = insertOf(`row.* FROM companies CROSS JOIN unnest(${parameters('[]')}) AS row`);

/** Whether rows can be written. */
export async function mayInsert(database: TenantDatabase): Promise<boolean> {
  const [row] = await database.statement<{ may: boolean }>(EVERYBODY, {
    name: 'audit-may-insert',
    text: `SELECT has_table_privilege('audit_log', 'INSERT') AS may`,
    values: [],
  });
  return row?.may === true;
}

/** Resolves after COMMIT of all. */
export async function insertEntries(database: TenantDatabase, entries: readonly AuditEntry[]): Promise<void> {
  const companies = `{${[...new Set(entries.map(({ companyId }) => companyId))].join(',')}}`;
  const [only, ...others] = entries;
  await database.statement(
    EVERYBODY,
    only && others.length === 0
      ? {
          name: 'audit-insert-one',
          text: INSERT_ONE,
          values: [companies, ...COLUMNS.map(({ of }) => of(only))],
        }
      : {
          name: 'audit-insert',
          text: INSERT_MANY,
          values: [companies, ...COLUMNS.map(({ of }) => entries.map(of))],
        },
  );
}
