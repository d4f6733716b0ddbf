import type { TenantTransaction } from '@outcomes/tenancy';

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
