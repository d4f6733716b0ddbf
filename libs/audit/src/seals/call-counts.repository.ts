import type { TenantTransaction } from '@outcomes/tenancy';

/** Rows that are counted in one transaction: all of a minute, and a part of a log that was kept before counts were. */
export const ROWS_PER_COUNT = 20_000;

/**
 * Adds the next rows of the company to its counts, up to and including `to`: before that place no row may appear any
 * more. Whoever counts has the company's turn (`takeSealersTurn`).
 * @returns how many rows were counted, ROWS_PER_COUNT at most
 */
export async function countCalls({ client, companyId }: TenantTransaction, to: number): Promise<number> {
  const { rows: marks } = await client.query<{ counted: string | null }>(
    `SELECT max(to_sequence)::text AS counted FROM audit_call_counts WHERE company_id = $1`,
    [companyId],
  );
  // By days of UTC, whatever the time zone of the session.
  const { rows } = await client.query<CallCount>(
    `SELECT (occurred_at AT TIME ZONE 'UTC')::date::text AS day, tool, status,
        coalesce(error_type = 'permission_denied', false) AS is_denied, count(*)::integer AS calls,
        max(sequence)::text AS to_sequence
      FROM (
        SELECT occurred_at, tool, status, error_type, sequence FROM audit_log
        WHERE company_id = $1 AND sequence <= $3::bigint AND ($2::bigint IS NULL OR sequence > $2::bigint)
        ORDER BY sequence LIMIT $4
      ) AS next GROUP BY 1, 2, 3, 4`,
    [companyId, marks[0]?.counted ?? null, to, ROWS_PER_COUNT],
  );
  if (rows.length === 0) return 0;
  await client.query(
    `INSERT INTO audit_call_counts AS known (company_id, day, tool, status, is_denied, calls, to_sequence)
      SELECT $1::uuid, * FROM unnest($2::date[], $3::text[], $4::text[], $5::boolean[], $6::integer[], $7::bigint[])
      ON CONFLICT (company_id, day, tool, status, is_denied)
      DO UPDATE SET calls = known.calls + excluded.calls, to_sequence = excluded.to_sequence`,
    [companyId, ...COLUMNS.map((column) => rows.map((row) => row[column]))],
  );
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

interface CallCount {
  readonly day: string;
  readonly tool: string;
  readonly status: string;
  readonly is_denied: boolean;
  readonly calls: number;
  readonly to_sequence: string;
}

const COLUMNS = ['day', 'tool', 'status', 'is_denied', 'calls', 'to_sequence'] as const;
