import { randomBytes } from 'node:crypto';
import { recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { randomBase62, type Clock, type SecretBox } from '@outcomes/platform';
import type { TenantDatabase, TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { isPublicAddress } from '../delivery/public-address';
import { ROTATION_HOURS } from '../delivery/signature';
import { TARGET_FAULTS, targetOf } from '../delivery/target';
import { isWebhookType, PING, WEBHOOK_TYPES } from '../webhook-types';
import { writeMessages } from '../outbox/message.repository';

/** What is shown once; of the secret only the encrypted form is stored. */
export interface CreatedWebhook {
  readonly endpointId: string;
  readonly url: string;
  readonly types: readonly string[];
  /** `whsec_…`, as libraries for Standard Webhooks take it. */
  readonly secret: string;
}

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

const ID_LENGTH = 22;
const SECRET_BYTES = 32;
const MOST_ENDPOINTS = 10;
const HOUR_MS = 3_600_000;

/** Makes and changes endpoints. The caller has made sure that it may. */
export class WebhookAdministration {
  constructor(
    private readonly database: TenantDatabase,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param types - what it is told of; all where none is given
   * @throws AppError INVALID_PARAMETER for an address that nothing may be sent to, an unknown type, too many endpoints
   */
  async create(
    scope: TenantScope,
    url: string,
    types: readonly string[],
    deed: Deed,
  ): Promise<CreatedWebhook> {
    const target = targetOf(url, isPublicAddress);
    if (typeof target === 'string') throw invalid('url', `${target}: ${TARGET_FAULTS[target]}`);
    const unknown = types.find((type) => !isWebhookType(type));
    if (unknown !== undefined)
      throw invalid(
        'types',
        `There is no type ${unknown}; there are ${Object.keys(WEBHOOK_TYPES).join(', ')}.`,
      );
    const wanted = types.length === 0 ? Object.keys(WEBHOOK_TYPES) : [...new Set(types)];
    const endpointId = `whk_${randomBase62(ID_LENGTH)}`;
    const secret = this.newSecret(endpointId);
    await this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      // Taken so that two commands cannot each see room for the last.
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks.' || $1, 0))`, [companyId]);
      const { rows } = await client.query<{ endpoints: number }>(
        'SELECT count(*)::int AS endpoints FROM webhook_endpoints WHERE company_id = $1',
        [companyId],
      );
      if ((rows[0]?.endpoints ?? 0) >= MOST_ENDPOINTS)
        throw invalid('url', `A company has ${MOST_ENDPOINTS} webhooks at most. Remove one first.`);
      await client.query(
        `INSERT INTO webhook_endpoints (company_id, endpoint_id, url, types, signing_secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [companyId, endpointId, target.href, wanted, secret.sealed, this.clock.now()],
      );
      await this.record(transaction, deed, 'webhook.create', endpointId, {
        host: target.host,
        types: wanted,
      });
    });
    return { endpointId, url: target.href, types: wanted, secret: secret.shown };
  }

  /** Gives an endpoint another secret; for a day the one before signs as well. @throws AppError WEBHOOK_NOT_FOUND */
  async rotate(scope: TenantScope, endpointId: string, deed: Deed): Promise<CreatedWebhook> {
    const secret = this.newSecret(endpointId);
    const until = new Date(this.clock.now().getTime() + ROTATION_HOURS * HOUR_MS);
    const row = await this.change(scope, endpointId, deed, 'webhook.rotate', ({ client, companyId }) =>
      client.query<Pick<CreatedWebhook, 'url' | 'types'>>(
        `UPDATE webhook_endpoints SET previous_signing_secret = signing_secret, previous_until = $3, signing_secret = $4
         WHERE company_id = $1 AND endpoint_id = $2 RETURNING url, types`,
        [companyId, endpointId, until, secret.sealed],
      ),
    );
    return { endpointId, ...row, secret: secret.shown };
  }

  /** Sends to it again from now on; what it missed is not sent. @throws AppError WEBHOOK_NOT_FOUND */
  async enable(scope: TenantScope, endpointId: string, deed: Deed): Promise<void> {
    await this.change(scope, endpointId, deed, 'webhook.enable', ({ client, companyId }) =>
      client.query<object>(
        `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL
         WHERE company_id = $1 AND endpoint_id = $2 RETURNING endpoint_id`,
        [companyId, endpointId],
      ),
    );
  }

  /** Removes an endpoint, and what waits for it. @throws AppError WEBHOOK_NOT_FOUND */
  async remove(scope: TenantScope, endpointId: string, deed: Deed): Promise<void> {
    await this.change(scope, endpointId, deed, 'webhook.remove', async ({ client, companyId }) => {
      await client.query('DELETE FROM webhook_deliveries WHERE company_id = $1 AND endpoint_id = $2', [
        companyId,
        endpointId,
      ]);
      return client.query<object>(
        'DELETE FROM webhook_endpoints WHERE company_id = $1 AND endpoint_id = $2 RETURNING endpoint_id',
        [companyId, endpointId],
      );
    });
  }

  /**
   * Puts a ping into the outbox, for one endpoint.
   * @returns id of the message
   * @throws AppError WEBHOOK_NOT_FOUND, also where it is disabled
   */
  async ping(scope: TenantScope, endpointId: string): Promise<string> {
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const found = await client.query(
        'SELECT FROM webhook_endpoints WHERE company_id = $1 AND endpoint_id = $2 AND disabled_at IS NULL',
        [companyId, endpointId],
      );
      if (found.rowCount !== 1) throw new AppError('WEBHOOK_NOT_FOUND');
      const subscription = { endpointId, types: [PING] };
      const [messageId = ''] = await writeMessages(
        transaction,
        [subscription],
        [{ type: PING, data: {} }],
        this.clock.now(),
      );
      return messageId;
    });
  }

  /** The oldest first. */
  async list(scope: TenantScope): Promise<ListedWebhook[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<ListedWebhook>(
        `SELECT endpoint_id AS "endpointId", url, types, created_at AS "createdAt", disabled_at AS "disabledAt",
           disabled_reason AS "disabledReason"
         FROM webhook_endpoints WHERE company_id = $1 ORDER BY created_at, endpoint_id`,
        [companyId],
      );
      return rows;
    });
  }

  /** What was sent to an endpoint in the last 30 days and what waits, the newest first. */
  async deliveries(scope: TenantScope, endpointId: string, limit: number): Promise<ListedDelivery[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<ListedDelivery>(
        `SELECT message_id AS "messageId", type, created_at AS "createdAt",
           CASE state WHEN 'notice' THEN 'failed' ELSE state END AS state, attempts, status, fault,
           CASE state WHEN 'pending' THEN due_at END AS "nextAttemptAt"
         FROM webhook_deliveries JOIN webhook_messages USING (company_id, message_id)
         WHERE company_id = $1 AND endpoint_id = $2 ORDER BY created_at DESC, message_id LIMIT $3`,
        [companyId, endpointId, limit],
      );
      return rows;
    });
  }

  private async change<Row>(
    scope: TenantScope,
    endpointId: string,
    deed: Deed,
    action: AdministrativeEntry['action'],
    update: (transaction: TenantTransaction) => Promise<{ readonly rows: readonly Row[] }>,
  ): Promise<Row> {
    return this.database.transaction(scope, async (transaction) => {
      const [row] = (await update(transaction)).rows;
      if (row === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
      await this.record(transaction, deed, action, endpointId, {});
      return row;
    });
  }

  private async record(
    transaction: TenantTransaction,
    deed: Deed,
    action: AdministrativeEntry['action'],
    subject: string,
    details: AdministrativeEntry['details'] & object,
  ): Promise<void> {
    await recordAdministration(transaction, {
      ...{ ...deed, action, subject, details },
      occurredAt: this.clock.now(),
    });
  }

  private newSecret(endpointId: string): { readonly shown: string; readonly sealed: Buffer } {
    if (!this.box.hasKey)
      throw invalid(
        'SOURCE_SECRETS_KEY',
        'Set SOURCE_SECRETS_KEY first, here and for analysis-worker: 32 random bytes in base64. What webhooks are signed with is kept encrypted.',
      );
    const shown = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { shown, sealed: this.box.seal(shown, endpointId) };
  }
}

function invalid(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}
