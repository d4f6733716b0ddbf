import { randomUUID } from 'node:crypto';
import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import type { AuditEntry } from './audit-entry';

/** Rows of many companies go in together. */
const EVERYBODY = mintSystemScope();

// One statement, thus one round trip and one commit: the setting is local to the statement's own transaction,
// and the cross join makes it hold before the first row reaches the policy. Without RETURNING, Citus would COPY the
// rows, which Postgres refuses under row-level security.
const INSERT = `
  WITH companies AS MATERIALIZED (SELECT set_config('app.audit_company_ids', $1, true))
  INSERT INTO audit_log (company_id, entry_id, occurred_at, requested_company_id, key_id, actor_type, actor_id,
    tool, status, error_type, latency_ms, input_sha256, output_sha256, request_id)
  SELECT row.* FROM companies CROSS JOIN unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::text[],
    $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::real[], $13::bytea[], $14::bytea[],
    $15::text[]) AS row
  RETURNING 1`;

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
  await database.statement(EVERYBODY, { name: 'audit-insert', text: INSERT, values: columnsOf(entries) });
}

function columnsOf(entries: readonly AuditEntry[]): unknown[] {
  const column = <Value>(value: (entry: AuditEntry) => Value) => entries.map(value);
  const companies = [...new Set(column((entry) => entry.companyId))];
  return [
    `{${companies.join(',')}}`,
    column((entry) => entry.companyId),
    column(() => randomUUID()),
    column((entry) => entry.occurredAt),
    column((entry) => entry.requestedCompanyId ?? null),
    column((entry) => entry.keyId),
    column((entry) => entry.actor.type),
    column((entry) => entry.actor.id),
    column((entry) => entry.tool),
    column((entry) => (entry.errorType === null ? 'success' : 'error')),
    column((entry) => entry.errorType),
    column((entry) => entry.latencyMs),
    column((entry) => entry.inputSha256),
    column((entry) => entry.outputSha256),
    column((entry) => entry.requestId),
  ];
}
