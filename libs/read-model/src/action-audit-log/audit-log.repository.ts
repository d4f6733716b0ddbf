import { Inject, Injectable } from '@nestjs/common';
import { AppError, DAY_MS, type ActorType } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

export interface AuditFilter {
  readonly tool?: string;
  readonly status?: 'success' | 'error';
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

export interface AuditRow {
  readonly entryId: string;
  readonly occurredAt: Date;
  readonly tool: string;
  readonly status: 'success' | 'error';
  readonly errorType: string | null;
  readonly latencyMs: number;
  readonly keyId: string | null;
  readonly actorType: ActorType;
  readonly actorId: string | null;
  readonly inputSha256: string;
  readonly outputSha256: string | null;
}

/** Matching rows per tool, status and error type. */
export interface AuditTally {
  readonly tool: string;
  readonly status: 'success' | 'error';
  readonly denied: boolean;
  readonly calls: number;
}

const FILTER = `($2::text IS NULL OR tool = $2) AND ($3::text IS NULL OR status = $3)
  AND ($4::timestamptz IS NULL OR occurred_at >= $4) AND ($5::timestamptz IS NULL OR occurred_at < $5)`;

/** A tenant sees its own calls, and calls of others that asked for it; the second without who they were. */
const OWN = `company_id = $1`;
const ASKED_FOR = `requested_company_id = $1 AND company_id <> $1`;
/** Who a caller was is told by the row, not by the branch: policies let both companies read a refused call. */
const ownOnly = (column: string) => `CASE company_id WHEN $1 THEN ${column} END`;

/** Below every number that a row can have: nothing is counted. */
const BEFORE_ALL = '-9223372036854775808';

const GROUP = `tool, status, coalesce(error_type = 'permission_denied', false) AS denied, count(*) AS calls FROM audit_log`;
/** $6 the last row that is counted, $7 and $8 the first and last (exclusive) instant of whole days that are asked for. */
const TALLY = `SELECT tool, status, denied, sum(calls)::integer AS calls FROM (
    SELECT tool, status, is_denied AS denied, calls FROM audit_call_counts
      WHERE company_id = $1 AND ($2::text IS NULL OR tool = $2) AND ($3::text IS NULL OR status = $3)
        AND day >= ($7::timestamptz AT TIME ZONE 'UTC')::date AND day < ($8::timestamptz AT TIME ZONE 'UTC')::date
    UNION ALL
    SELECT ${GROUP} WHERE ${OWN} AND sequence > $6::bigint AND ${FILTER} GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${GROUP} WHERE ${OWN} AND sequence <= $6::bigint AND ${FILTER} AND occurred_at < $7::timestamptz
      GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${GROUP} WHERE ${OWN} AND sequence <= $6::bigint AND ${FILTER} AND occurred_at >= $8::timestamptz
      GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${GROUP} WHERE ${ASKED_FOR} AND ${FILTER} GROUP BY 1, 2, 3
  ) AS parts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

@Injectable()
export class AuditLogRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Rows newest first.
   * @param after - entry_id of the last row of the page before
   * @throws AppError INVALID_PARAMETER where this tenant has no such entry
   */
  async page(
    scope: TenantScope,
    filter: AuditFilter,
    limit: number,
    after: string | undefined,
  ): Promise<AuditRow[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      if (after !== undefined) {
        const known = await client.query({
          name: 'audit_cursor',
          text: `SELECT FROM audit_log WHERE entry_id = $2 AND (${OWN} OR requested_company_id = $1)`,
          values: [companyId, after],
        });
        if (known.rowCount === 0) throw new AppError('INVALID_PARAMETER', { parameter: 'cursor' });
      }
      const branch = (whose: string, keyId: string, actorId: string) => `(SELECT entry_id AS "entryId",
          occurred_at AS "occurredAt", sequence, tool, status, error_type AS "errorType",
          latency_ms AS "latencyMs", ${keyId} AS "keyId", actor_type AS "actorType", ${actorId} AS "actorId",
          encode(input_sha256, 'hex') AS "inputSha256", encode(output_sha256, 'hex') AS "outputSha256"
        FROM audit_log WHERE ${whose} AND ${FILTER} AND ($6::uuid IS NULL OR (occurred_at, sequence) <
          (SELECT occurred_at, sequence FROM audit_log
            WHERE entry_id = $6 AND (company_id = $1 OR requested_company_id = $1)))
        ORDER BY occurred_at DESC, sequence DESC LIMIT $7)`;
      const found = await client.query<AuditRow>({
        name: 'audit_page',
        text: `SELECT "entryId", "occurredAt", tool, status, "errorType", "latencyMs", "keyId", "actorType",
            "actorId", "inputSha256", "outputSha256"
          FROM (${branch(OWN, ownOnly('key_id'), ownOnly('actor_id'))}
            UNION ALL ${branch(ASKED_FOR, 'NULL', 'NULL')}) entries
          ORDER BY "occurredAt" DESC, sequence DESC LIMIT $7`,
        values: [...valuesOf(companyId, filter), after ?? null, limit],
      });
      return found.rows;
    });
  }

  /**
   * How many rows match, over all pages: whole days (UTC) from counts, as far as the log is counted; what came since,
   * the rest of days, and calls of others that asked for the tenant row by row.
   */
  async tally(scope: TenantScope, filter: AuditFilter): Promise<AuditTally[]> {
    // In one snapshot: rows that are counted meanwhile are neither missed nor taken twice.
    return this.database.snapshot(scope, async ({ companyId, client }) => {
      const marks = await client.query<{ counted: string | null }>({
        name: 'audit_counted',
        text: `SELECT max(to_sequence)::text AS counted FROM audit_call_counts WHERE company_id = $1`,
        values: [companyId],
      });
      const found = await client.query<AuditTally>({
        name: 'audit_tally',
        text: TALLY,
        values: [
          ...valuesOf(companyId, filter),
          marks.rows[0]?.counted ?? BEFORE_ALL,
          ...wholeDaysOf(filter),
        ],
      });
      return found.rows;
    });
  }
}

/**
 * The first and the last instant, exclusive, of the days of UTC that lie in a window as a whole. Where there is none,
 * both are the end of the window: all of it is before them.
 */
function wholeDaysOf({ since, until }: AuditFilter): [first: Date | string, last: Date | string] {
  const first = since && new Date(Math.ceil(since.getTime() / DAY_MS) * DAY_MS);
  const last = until && new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS);
  if (first && last && first >= last) return ['infinity', 'infinity'];
  return [first ?? '-infinity', last ?? 'infinity'];
}

function valuesOf(companyId: string, { tool, status, since, until }: AuditFilter) {
  return [companyId, tool ?? null, status ?? null, since ?? null, until ?? null];
}
