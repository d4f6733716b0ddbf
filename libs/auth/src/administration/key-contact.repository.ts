import type { TenantTransaction } from '@outcomes/tenancy';

/** Whom to tell what concerns a key. Personal data of the operator's customer, shown to administrators alone. */
export interface KeyContact {
  /** Null for the keys of the company that have no contact of their own. */
  readonly keyId: string | null;
  readonly email: string;
}

export async function contactsWithin({ client, companyId }: TenantTransaction): Promise<KeyContact[]> {
  const { rows } = await client.query<KeyContact>(
    `SELECT nullif(key_id, '') AS "keyId", email FROM key_contacts WHERE company_id = $1 ORDER BY key_id`,
    [companyId],
  );
  return rows;
}

/** @param email - null to have none any more */
export async function setContactWithin(
  { client, companyId }: TenantTransaction,
  keyId: string | null,
  email: string | null,
  now: Date,
): Promise<void> {
  if (email === null) {
    await client.query('DELETE FROM key_contacts WHERE company_id = $1 AND key_id = $2', [
      companyId,
      keyId ?? '',
    ]);
    return;
  }
  await client.query(
    `INSERT INTO key_contacts (company_id, key_id, email, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, key_id) DO UPDATE SET email = excluded.email, updated_at = excluded.updated_at`,
    [companyId, keyId ?? '', email, now],
  );
}
