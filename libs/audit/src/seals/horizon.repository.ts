import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** Where the log stood at a moment. Rows up to here may still be on their way to their COMMIT. */
export interface HorizonNote {
  readonly sequence: number;
  /** First transaction id that was not given out yet. */
  readonly nextTransaction: string;
}

export async function noteHorizon(database: TenantDatabase): Promise<HorizonNote> {
  // Two statements: the transaction ids must be looked at after the sequence.
  return database.unscoped(mintSystemScope(), async ({ client }) => {
    const drawn = await client.query<{ sequence: string }>(
      'SELECT last_value AS sequence FROM audit_log_sequence_seq',
    );
    const open = await client.query<{ next: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
    );
    return { sequence: Number(drawn.rows[0]?.sequence ?? 0), nextTransaction: open.rows[0]?.next ?? '0' };
  });
}

/** Whether no transaction from before a note is under way any more. */
export async function hasSettled(
  database: TenantDatabase,
  { nextTransaction }: HorizonNote,
): Promise<boolean> {
  const { rows } = await database.unscoped(mintSystemScope(), ({ client }) =>
    client.query<{ settled: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS settled',
      [nextTransaction],
    ),
  );
  return rows[0]?.settled === true;
}

/** Companies with rows behind one sequence and up to another. */
export async function companiesBetween(
  database: TenantDatabase,
  after: number,
  to: number,
): Promise<string[]> {
  const { rows } = await database.unscoped(
    mintSystemScope({ 'app.audit_beyond': String(after) }),
    ({ client }) =>
      client.query<{ company_id: string }>(
        'SELECT DISTINCT company_id FROM audit_log WHERE sequence > $1::bigint AND sequence <= $2::bigint',
        [after, to],
      ),
  );
  return rows.map((row) => row.company_id);
}
