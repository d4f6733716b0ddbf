import { ApiKeyEntity } from '@outcomes/persistence';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** What a key is made of. */
export type NewApiKey = Omit<ApiKeyEntity, 'companyId' | 'lastUsedAt' | 'revokedAt' | 'lockedUntil'>;

/** The key that somebody presents, before any company is known. */
export async function presentedKey(database: TenantDatabase, keyId: string): Promise<ApiKeyEntity | null> {
  return database.unscoped(mintSystemScope({ 'app.key_id': keyId }), ({ manager }) =>
    manager.findOneBy(ApiKeyEntity, { keyId }),
  );
}

export async function keyExists({ client, companyId }: TenantTransaction, keyId: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM api_keys WHERE company_id = $1 AND key_id = $2', [
    companyId,
    keyId,
  ]);
  return rowCount !== 0;
}

/** Newest first, revoked and expired ones included. */
export async function keysOf({ manager, companyId }: TenantTransaction): Promise<ApiKeyEntity[]> {
  return manager.find(ApiKeyEntity, { where: { companyId }, order: { createdAt: 'DESC', keyId: 'ASC' } });
}

export async function countActiveKeys({ client, companyId }: TenantTransaction, now: Date): Promise<number> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM api_keys WHERE company_id = $1 AND revoked_at IS NULL AND expires_at > $2',
    [companyId, now],
  );
  return rowCount ?? 0;
}

export async function insertKey({ manager, companyId }: TenantTransaction, key: NewApiKey): Promise<void> {
  await manager.insert(ApiKeyEntity, { companyId, ...key });
}

/** @returns when it was revoked, locked to the end of the transaction; undefined where there is no such key */
export async function lockRevocation(
  { client, companyId }: TenantTransaction,
  keyId: string,
): Promise<Date | null | undefined> {
  const { rows } = await client.query<{ revoked_at: Date | null }>(
    'SELECT revoked_at FROM api_keys WHERE company_id = $1 AND key_id = $2 FOR UPDATE',
    [companyId, keyId],
  );
  return rows[0]?.revoked_at;
}

export async function revoke(
  { client, companyId }: TenantTransaction,
  keyId: string,
  at: Date,
): Promise<void> {
  await client.query('UPDATE api_keys SET revoked_at = $3 WHERE company_id = $1 AND key_id = $2', [
    ...[companyId, keyId, at],
  ]);
}

export async function lockUntil(
  { client, companyId }: TenantTransaction,
  keyId: string,
  until: Date,
): Promise<void> {
  await client.query('UPDATE api_keys SET locked_until = $3 WHERE company_id = $1 AND key_id = $2', [
    ...[companyId, keyId, until],
  ]);
}

/** To the minute: of several pods the first one in a minute writes. */
export async function noteUse(
  { client, companyId }: TenantTransaction,
  keyId: string,
  at: Date,
): Promise<void> {
  await client.query(
    `UPDATE api_keys SET last_used_at = $3
      WHERE company_id = $1 AND key_id = $2
        AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '1 minute')`,
    [companyId, keyId, at],
  );
}
