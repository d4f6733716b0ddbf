import type { TenantTransaction } from '@outcomes/tenancy';

export interface ListedWebhook {
  readonly endpointId: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly createdAt: Date;
  /** Null while it is sent to. */
  readonly disabledAt: Date | null;
  /** gone: it answered 410; failed: a message could not be delivered in three days. */
  readonly disabledReason: string | null;
}

export interface ListedDelivery {
  readonly messageId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  /** HTTP status of the last attempt; null where there was no answer. */
  readonly status: number | null;
  /** Why there was none. */
  readonly fault: string | null;
  /** Null where nothing follows. */
  readonly nextAttemptAt: Date | null;
}

/** What an endpoint is made of. */
export interface NewEndpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly signingSecret: Buffer;
  readonly createdAt: Date;
}

/** Nothing else refers to the company, so that an endpoint of nobody would be stored, too. */
export async function hasCompany({ client, companyId }: TenantTransaction): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
  return rowCount !== 0;
}

/** How many endpoints there are; nobody else adds one before the transaction ends, so that two cannot each see room for the last. */
export async function lockAndCount({ client, companyId }: TenantTransaction): Promise<number> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks.' || $1, 0))`, [companyId]);
  const { rows } = await client.query<{ endpoints: number }>(
    'SELECT count(*)::int AS endpoints FROM webhook_endpoints WHERE company_id = $1',
    [companyId],
  );
  return rows[0]?.endpoints ?? 0;
}

export async function insert(
  { client, companyId }: TenantTransaction,
  { endpointId, url, types, signingSecret, createdAt }: NewEndpoint,
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoints (company_id, endpoint_id, url, types, signing_secret, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [companyId, endpointId, url, types, signingSecret, createdAt],
  );
}

/** @returns undefined where there is no such endpoint */
export async function replaceSecret(
  { client, companyId }: TenantTransaction,
  endpointId: string,
  signingSecret: Buffer,
  previousUntil: Date,
): Promise<Pick<ListedWebhook, 'url' | 'types'> | undefined> {
  const { rows } = await client.query<Pick<ListedWebhook, 'url' | 'types'>>(
    `UPDATE webhook_endpoints SET previous_signing_secret = signing_secret, previous_until = $3, signing_secret = $4
     WHERE company_id = $1 AND endpoint_id = $2 RETURNING url, types`,
    [companyId, endpointId, previousUntil, signingSecret],
  );
  return rows[0];
}

/** @returns undefined where there is no such endpoint */
export async function enable(
  { client, companyId }: TenantTransaction,
  endpointId: string,
): Promise<object | undefined> {
  const { rows } = await client.query<object>(
    `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL
     WHERE company_id = $1 AND endpoint_id = $2 RETURNING endpoint_id`,
    [companyId, endpointId],
  );
  return rows[0];
}

/** Removes an endpoint, and what waits for it. @returns undefined where there is no such endpoint */
export async function remove(
  { client, companyId }: TenantTransaction,
  endpointId: string,
): Promise<object | undefined> {
  await client.query('DELETE FROM webhook_deliveries WHERE company_id = $1 AND endpoint_id = $2', [
    companyId,
    endpointId,
  ]);
  const { rows } = await client.query<object>(
    'DELETE FROM webhook_endpoints WHERE company_id = $1 AND endpoint_id = $2 RETURNING endpoint_id',
    [companyId, endpointId],
  );
  return rows[0];
}

export async function isEnabled(
  { client, companyId }: TenantTransaction,
  endpointId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM webhook_endpoints WHERE company_id = $1 AND endpoint_id = $2 AND disabled_at IS NULL',
    [companyId, endpointId],
  );
  return rowCount === 1;
}

/** The oldest first. */
export async function listed({ client, companyId }: TenantTransaction): Promise<ListedWebhook[]> {
  const { rows } = await client.query<ListedWebhook>(
    `SELECT endpoint_id AS "endpointId", url, types, created_at AS "createdAt", disabled_at AS "disabledAt",
       disabled_reason AS "disabledReason"
     FROM webhook_endpoints WHERE company_id = $1 ORDER BY created_at, endpoint_id`,
    [companyId],
  );
  return rows;
}

/** The newest first. */
export async function deliveriesTo(
  { client, companyId }: TenantTransaction,
  endpointId: string,
  limit: number,
): Promise<ListedDelivery[]> {
  const { rows } = await client.query<ListedDelivery>(
    `SELECT message_id AS "messageId", type, created_at AS "createdAt",
       CASE state WHEN 'notice' THEN 'failed' ELSE state END AS state, attempts, status, fault,
       CASE state WHEN 'pending' THEN due_at END AS "nextAttemptAt"
     FROM webhook_deliveries JOIN webhook_messages USING (company_id, message_id)
     WHERE company_id = $1 AND endpoint_id = $2 ORDER BY created_at DESC, message_id LIMIT $3`,
    [companyId, endpointId, limit],
  );
  return rows;
}
