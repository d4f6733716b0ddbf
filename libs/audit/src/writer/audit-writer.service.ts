import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, LOGGER, Management, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import type { AuditEntry } from './audit-entry';
import { GroupCommit } from './group-commit';

/** Rows that one INSERT takes at most; a second's worth at the rate of one busy pod. */
const LARGEST_GROUP = 1_000;
/** How long the answer to "can rows be written?" is believed. */
const CACHE_TTL_MS = 10_000;

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

export type AuditState = 'operational' | 'degraded';

/** Writes audit rows. A call whose row cannot be written must not be answered. */
@Injectable()
export class AuditWriter implements OnApplicationShutdown {
  private readonly commits = new GroupCommit<AuditEntry>((entries) => this.insert(entries), LARGEST_GROUP);
  private readonly rows: Counter<'result'>;
  private lastWrite: AuditState = 'operational';
  private cached?: { readonly state: Promise<AuditState>; readonly untilMs: number };

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) management: Management,
  ) {
    this.rows = new Counter({
      name: 'outcomes_audit_rows_total',
      help: 'Audit rows, by what became of them: committed or failed. A call whose row failed was not answered.',
      labelNames: ['result'],
      registers: [management.registry],
    });
    // Not the last write's fate: a pod without traffic would never get the chance to do better.
    management.addReadinessCheck('audit', async () => (await this.asked()) === 'operational');
  }

  /**
   * Resolves after COMMIT of the row.
   * @throws AppError SERVICE_UNAVAILABLE or INTERNAL_ERROR; every record of a failed group gets it
   */
  async record(entry: AuditEntry): Promise<void> {
    await this.commits.add(entry);
  }

  /** Whether rows can be written: what the database says, and what became of the last row. */
  async state(): Promise<AuditState> {
    const asked = await this.asked();
    return this.lastWrite === 'degraded' ? 'degraded' : asked;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.commits.idle();
  }

  private async asked(): Promise<AuditState> {
    const now = performance.now();
    this.cached =
      this.cached && now < this.cached.untilMs
        ? this.cached
        : { state: this.ask(), untilMs: now + CACHE_TTL_MS };
    const state = await this.cached.state;
    if (state === 'degraded') this.cached = undefined;
    return state;
  }

  private async ask(): Promise<AuditState> {
    try {
      const [row] = await this.database.statement<{ may: boolean }>({
        name: 'audit-may-insert',
        text: `SELECT has_table_privilege('audit_log', 'INSERT') AS may`,
        values: [],
      });
      return row?.may ? 'operational' : 'degraded';
    } catch {
      return 'degraded';
    }
  }

  private async insert(entries: readonly AuditEntry[]): Promise<void> {
    try {
      await this.database.statement({ name: 'audit-insert', text: INSERT, values: columnsOf(entries) });
      this.lastWrite = 'operational';
      this.rows.inc({ result: 'committed' }, entries.length);
    } catch (error) {
      this.lastWrite = 'degraded';
      this.rows.inc({ result: 'failed' }, entries.length);
      this.logger.error({ err: error, rows: entries.length }, 'audit rows could not be written');
      throw error;
    }
  }
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
