import type { TenantTransaction } from '@outcomes/tenancy';
import type { SerialisedDocument } from './serialise';

/** A document as an earlier run left it, JSON. */
export async function storedDocument(
  { client, companyId }: TenantTransaction,
  document: string,
): Promise<string | undefined> {
  const { rows } = await client.query<{ body: string }>(
    'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
    [companyId, document],
  );
  return rows[0]?.body;
}

/** Documents that rest on newer data than these stay. */
export async function writeDocuments(
  { client, companyId }: TenantTransaction,
  runId: string,
  dataAsOf: Date,
  documents: readonly SerialisedDocument[],
  at: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
     SELECT $1, document, $2, $3, $4, etag, body
     FROM unnest($5::text[], $6::text[], $7::text[]) AS new (document, etag, body)
     ON CONFLICT (company_id, document) DO UPDATE SET run_id = excluded.run_id, data_as_of = excluded.data_as_of,
       updated_at = excluded.updated_at, etag = excluded.etag, body = excluded.body
     WHERE snapshots.data_as_of <= excluded.data_as_of`,
    [
      companyId,
      runId,
      dataAsOf,
      at,
      documents.map(({ document }) => document),
      documents.map(({ etag }) => etag),
      documents.map(({ body }) => body),
    ],
  );
}
