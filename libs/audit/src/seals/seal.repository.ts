import type { TenantTransaction } from '@outcomes/tenancy';
import type { LogTransaction } from '../administration/administration-log.repository';
import type { Seal, SealedRow } from './seal-hashes';

interface SealRecord {
  readonly company_id: string;
  readonly seal_no: number;
  readonly from_sequence: string;
  readonly to_sequence: string;
  readonly row_count: number;
  /** Milliseconds since 1970. */
  readonly sealed_ms: string;
  readonly root_sha256: Buffer;
  readonly previous_sha256: Buffer;
  readonly seal_sha256: Buffer;
}

// The bytes in which Postgres keeps times and floats, because their text depends on the session.
const ROW = `company_id, entry_id, sequence::text AS sequence,
  encode(timestamptz_send(occurred_at), 'hex') AS occurred_at, requested_company_id, key_id,
  actor_type, actor_id, tool, status, error_type, encode(float4send(latency_ms), 'hex') AS latency_ms,
  encode(input_sha256, 'hex') AS input_sha256, encode(output_sha256, 'hex') AS output_sha256, request_id`;
const SEAL = `company_id, seal_no, from_sequence, to_sequence, row_count, extract(epoch FROM sealed_at) * 1000 AS sealed_ms,
  root_sha256, previous_sha256, seal_sha256`;

/** One company's sealers take turns; a second one then finds the first one's seals, or that the company is gone. */
export async function takeSealersTurn({ client, companyId }: LogTransaction): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('audit-seals.' || $1, 0))`, [companyId]);
}

/** The next rows behind `after`, at most `limit`, up to and including `to`; in the order in which they are sealed. */
export async function rowsBetween(
  { client, companyId }: TenantTransaction,
  after: RowPlace,
  to: number,
  limit: number,
): Promise<SealedRow[]> {
  // Sequences are unique unless somebody tampers; the entry id keeps even then a page from losing rows.
  const { rows } = await client.query<SealedRow>(
    `SELECT ${ROW} FROM audit_log
      WHERE company_id = $1 AND (audit_log.sequence, entry_id) > ($2::bigint, $3::uuid)
        AND audit_log.sequence <= $4::bigint
      ORDER BY audit_log.sequence, entry_id LIMIT $5`,
    [companyId, after.sequence, after.entryId, to, limit],
  );
  return rows;
}

/** A place in the order of a company's rows. */
export interface RowPlace {
  readonly sequence: number;
  readonly entryId: string;
}

/** Behind every row of a sequence, whatever its entry id. */
export const behind = (sequence: number): RowPlace => ({
  sequence,
  entryId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
});

/** Before every row, also before one that somebody planted under a number that is never handed out. */
export const BEGINNING = behind(Number.MIN_SAFE_INTEGER);

export const placeOf = (row: SealedRow): RowPlace => ({
  sequence: Number(row.sequence),
  entryId: row.entry_id,
});

export async function lastSeal({ client, companyId }: TenantTransaction): Promise<Seal | undefined> {
  const { rows } = await client.query<SealRecord>(
    `SELECT ${SEAL} FROM audit_seals WHERE company_id = $1 ORDER BY seal_no DESC LIMIT 1`,
    [companyId],
  );
  return rows[0] && sealOf(rows[0]);
}

/** The next seals behind a number, in order. */
export async function sealsBehind(
  { client, companyId }: TenantTransaction,
  sealNo: number,
  limit: number,
): Promise<Seal[]> {
  const { rows } = await client.query<SealRecord>(
    `SELECT ${SEAL} FROM audit_seals WHERE company_id = $1 AND seal_no > $2 ORDER BY seal_no LIMIT $3`,
    [companyId, sealNo, limit],
  );
  return rows.map(sealOf);
}

export async function insertSeal({ client }: TenantTransaction, seal: Seal): Promise<void> {
  await client.query(
    `INSERT INTO audit_seals (company_id, seal_no, from_sequence, to_sequence, row_count, sealed_at, root_sha256,
       previous_sha256, seal_sha256) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      seal.companyId,
      seal.sealNo,
      seal.fromSequence,
      seal.toSequence,
      seal.rowCount,
      seal.sealedAt,
      seal.rootSha256,
      seal.previousSha256,
      seal.sealSha256,
    ],
  );
}

/** How many rows and seals a company has, and how many of the rows no seal covers. */
export async function countsOf({
  client,
  companyId,
}: TenantTransaction): Promise<{ rows: number; seals: number; unsealed: number }> {
  const { rows } = await client.query<{ rows: number; seals: number; sealed: number }>(
    `SELECT (SELECT count(*)::float8 FROM audit_log WHERE company_id = $1) AS rows, count(*)::float8 AS seals,
            coalesce(sum(row_count), 0)::float8 AS sealed
       FROM audit_seals WHERE company_id = $1`,
    [companyId],
  );
  const [counts = { rows: 0, seals: 0, sealed: 0 }] = rows;
  return { rows: counts.rows, seals: counts.seals, unsealed: Math.max(0, counts.rows - counts.sealed) };
}

function sealOf(record: SealRecord): Seal {
  return {
    companyId: record.company_id,
    sealNo: record.seal_no,
    fromSequence: Number(record.from_sequence),
    toSequence: Number(record.to_sequence),
    rowCount: record.row_count,
    sealedAt: new Date(Number(record.sealed_ms)),
    rootSha256: record.root_sha256,
    previousSha256: record.previous_sha256,
    sealSha256: record.seal_sha256,
  };
}
