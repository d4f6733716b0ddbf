import { Inject, Injectable } from '@nestjs/common';
import {
  ACTION_AUDIT_LOG,
  instantOf,
  type ActionAuditLog,
  type ActionAuditLogQuery,
  type AlertCode,
  type AuditEntry,
} from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { RunRepository } from '../runs/run.repository';
import { AuditLogRepository, type AuditRow, type AuditTally } from './audit-log.repository';
import { cleanText } from '../text/clean-text';
import { counted, percent } from '../text/number-words';
import { decodeIdCursor, encodeCursor } from '../arguments/cursor';
import { frameOf } from '../frame/result-frame';

const LIST = 'audit';

/** The audit trail of a tenant's tool calls, newest first. */
@Injectable()
export class ActionAuditLogService {
  constructor(
    @Inject(AuditLogRepository) private readonly auditLog: AuditLogRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: ActionAuditLogQuery): Promise<ActionAuditLog> {
    const limit = query.limit ?? ACTION_AUDIT_LOG.arguments.limit.default;
    const after = decodeIdCursor(LIST, query.cursor);
    const filter = {
      tool: query.tool,
      status: query.status,
      since: query.since === undefined ? undefined : instantOf(query.since),
      until: query.until === undefined ? undefined : instantOf(query.until),
    };
    // One row more than asked for tells whether there is another page.
    const rows = await this.auditLog.page(scope, filter, limit + 1, after);
    const tally = await this.auditLog.tally(scope, filter);
    const { freshness } = await this.runs.read(scope);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const total = sum(tally);
    const failed = sum(tally.filter((row) => row.status === 'error'));
    const errorRate = total > 0 ? failed / total : 0;
    const denied = sum(tally.filter((row) => row.denied));
    const summary =
      `${counted(total, 'call')} in the audit log, ${page.length} on this page; ${percent(errorRate)} failed, ` +
      `${denied} were refused with permission_denied.`;
    return {
      ...frameOf(scope, 'company', freshness, this.clock.now(), summary, alertsOf(total, denied, rows, page)),
      entry_count: page.length,
      total_count: total,
      entries: page.map(entryOf),
      tool_breakdown: breakdownOf(tally),
      error_rate: errorRate,
      next_cursor: last && rows.length > limit ? encodeCursor(LIST, last.entryId) : null,
    };
  }
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    entry_id: row.entryId,
    timestamp: row.occurredAt.toISOString(),
    tool: cleanText(row.tool),
    status: row.status,
    error_type: row.errorType,
    latency_ms: row.latencyMs,
    key_id: row.keyId,
    actor_type: row.actorType,
    actor_id: row.actorId === null ? null : cleanText(row.actorId),
    input_sha256: row.inputSha256,
    output_sha256: row.outputSha256,
  };
}

function breakdownOf(tally: readonly AuditTally[]): Record<string, number> {
  const calls = new Map<string, number>();
  for (const row of tally) calls.set(cleanText(row.tool), (calls.get(cleanText(row.tool)) ?? 0) + row.calls);
  return Object.fromEntries(calls);
}

function sum(tally: readonly AuditTally[]): number {
  return tally.reduce((total, row) => total + row.calls, 0);
}

function alertsOf(
  total: number,
  denied: number,
  rows: readonly AuditRow[],
  page: readonly AuditRow[],
): AlertCode[] {
  const alerts: AlertCode[] = ['payloads_not_stored_only_sha256_hashes'];
  if (total === 0) alerts.push('no_audit_entries_available');
  if (denied > 0) alerts.push('denied_attempts_present');
  if (rows.length > page.length) alerts.push('results_truncated');
  return alerts;
}
