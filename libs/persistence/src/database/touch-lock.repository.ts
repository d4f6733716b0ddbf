import type { TenantTransaction } from '@outcomes/tenancy';

/** First key of the advisory lock, so that no other use of such locks meets this one. */
export const TOUCH_LOCK = 0x7f01;

/**
 * Waits until nobody else changes a company's touches, or freezes what it read of them; held to the end of the
 * transaction. So nothing can be frozen about a recipient who is being erased.
 */
export async function lockTouches({ client, companyId }: TenantTransaction): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [TOUCH_LOCK, companyId]);
}
