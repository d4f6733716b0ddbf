import { createHash } from 'node:crypto';
import { together, type TenantTransaction } from '@outcomes/tenancy';
import { sha256OfJson } from '../canonical/canonical-json';
import type { AdministrativeEntry, RecordedEntry } from './administrative-entry';

/** The open transaction of a company; the pg client alone is enough. */
export interface LogTransaction {
  readonly companyId: string;
  readonly client: Pick<TenantTransaction['client'], 'query'>;
}

interface EntryRecord {
  readonly entry_no: number;
  readonly occurred_at: Date;
  readonly actor_type: RecordedEntry['by']['type'];
  readonly actor_id: string;
  readonly action: RecordedEntry['action'];
  readonly subject: string | null;
  readonly details: RecordedEntry['details'];
  readonly request_id: string | null;
  readonly previous_sha256: Buffer;
  readonly seal_sha256: Buffer;
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('administration-log.' || $1, 0))`;

// A statement of its own: it sees what whoever had the lock before has committed. The newest entry is the first of the
// index, backwards, however many there are. Without RETURNING, Citus would COPY the row, which Postgres refuses under
// row-level security.
const INSERT = `
  INSERT INTO administration_log (company_id, entry_no, occurred_at, actor_type, actor_id, action, subject, details,
    request_id, previous_sha256, seal_sha256)
  SELECT $1::uuid, last.entry_no + 1, $2::timestamptz, $3::text, $4::text, $5::text, $6::text, $7::jsonb, $8::text,
    last.seal_sha256, sha256(last.seal_sha256 || $9::bytea || convert_to((last.entry_no + 1)::text, 'UTF8'))
  FROM (
    SELECT coalesce(entry_no, 0) AS entry_no, coalesce(seal_sha256, decode(repeat('00', 32), 'hex')) AS seal_sha256
    FROM (SELECT 1) AS always LEFT JOIN LATERAL (
      SELECT entry_no, seal_sha256 FROM administration_log WHERE company_id = $1::uuid ORDER BY entry_no DESC LIMIT 1
    ) AS newest ON true
  ) AS last
  RETURNING 1`;

/**
 * Writes down what an administrator does, in the transaction that does it: both are committed, or neither. Each entry
 * is sealed as it is written and holds the seal of the one before, so those who write for one company take turns until
 * they commit. Such deeds are rare; calls of tools, which are not, are sealed afterwards. Over a pipelined connection it
 * is one trip.
 * @throws the error of Postgres, which takes the deed with it
 */
export async function recordAdministration(
  { companyId, client }: LogTransaction,
  entry: AdministrativeEntry,
): Promise<void> {
  const { by, onBehalfOf, action, subject, requestId = null, occurredAt } = entry;
  const details = { ...entry.details, ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }) };
  const content = contentSha256({ companyId, by, action, subject, details, requestId, occurredAt });
  const values = [companyId, occurredAt, by.type, by.id, action, subject, JSON.stringify(details), requestId];
  const locked = client.query({ name: 'lock-administration-log', text: LOCK, values: [companyId] });
  if (!isPipelined(client)) await locked;
  await together(
    locked,
    client.query({ name: 'record-administration', text: INSERT, values: [...values, content] }),
  );
}

function isPipelined(client: object): boolean {
  return 'pipeline' in client && client.pipeline === true;
}

/** SHA-256 of what an entry says, as canonical JSON, 32 bytes. */
function contentSha256(entry: Omit<RecordedEntry, 'entryNo' | 'previousSha256' | 'sealSha256'>): Buffer {
  return sha256OfJson({
    companyId: entry.companyId,
    occurredAt: entry.occurredAt.getTime(),
    by: { type: entry.by.type, id: entry.by.id },
    action: entry.action,
    subject: entry.subject,
    details: entry.details,
    requestId: entry.requestId,
  });
}

/** SHA-256 of the seal before, the hash of what the entry says, and its number: 32 bytes. */
export function sealOf(entry: Omit<RecordedEntry, 'sealSha256'>): Buffer {
  return createHash('sha256')
    .update(entry.previousSha256)
    .update(contentSha256(entry))
    .update(String(entry.entryNo))
    .digest();
}

/** Entries in the order of their numbers: those behind one, or the newest before one, which come newest first. */
export async function entriesOf(
  { companyId, client }: LogTransaction,
  place: { readonly behind: number } | { readonly before: number },
  limit: number,
): Promise<RecordedEntry[]> {
  const [condition, order, from] =
    'behind' in place ? ['>', 'ASC', place.behind] : ['<', 'DESC', place.before];
  const { rows } = await client.query<EntryRecord>(
    `SELECT entry_no, occurred_at, actor_type, actor_id, action, subject, details, request_id, previous_sha256,
       seal_sha256
     FROM administration_log WHERE company_id = $1 AND entry_no ${condition} $2 ORDER BY entry_no ${order} LIMIT $3`,
    [companyId, from, limit],
  );
  return rows.map((row) => ({
    companyId,
    entryNo: row.entry_no,
    occurredAt: row.occurred_at,
    by: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    subject: row.subject,
    details: row.details,
    requestId: row.request_id,
    previousSha256: row.previous_sha256,
    sealSha256: row.seal_sha256,
  }));
}
