import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** A message on its way to one endpoint, taken by one worker. */
export interface ClaimedDelivery {
  readonly endpointId: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
  /** Nothing is sent to an endpoint that was disabled meanwhile. */
  readonly isDisabled: boolean;
  readonly url: string;
  readonly signingSecret: Buffer;
  /** Null where no secret before is valid any more. */
  readonly previousSigningSecret: Buffer | null;
}

/** How an attempt ended, for whoever looks after the endpoint. */
export interface AttemptResult {
  readonly status: number | null;
  readonly fault: string | null;
}

export type DisabledReason = 'gone' | 'failed';

/** An attempt is over much sooner; whoever has not said so by then has died. */
const LEASE_MS = 60_000;
/** What was delivered or given up is forgotten after so many days. */
const DAYS_KEPT = 30;

const CLAIM = `
  WITH due AS (
    SELECT endpoint_id, message_id FROM webhook_deliveries
    WHERE company_id = $1 AND state = 'pending' AND due_at <= $2
    ORDER BY due_at, message_id LIMIT $4 FOR UPDATE SKIP LOCKED
  )
  UPDATE webhook_deliveries AS delivery SET attempts = attempts + 1, due_at = $3, attempted_at = $2
  FROM due, webhook_endpoints AS endpoint, webhook_messages AS message
  WHERE delivery.company_id = $1 AND delivery.endpoint_id = due.endpoint_id AND delivery.message_id = due.message_id
    AND endpoint.company_id = $1 AND endpoint.endpoint_id = due.endpoint_id
    AND message.company_id = $1 AND message.message_id = due.message_id
  RETURNING delivery.endpoint_id AS "endpointId", delivery.message_id AS "messageId", delivery.attempts,
    message.type, message.body, endpoint.url, endpoint.signing_secret AS "signingSecret",
    CASE WHEN endpoint.previous_until > $2 THEN endpoint.previous_signing_secret END AS "previousSigningSecret",
    endpoint.disabled_at IS NOT NULL AS "isDisabled"`;

/** What of the outbox is due, and what became of it. */
@Injectable()
export class DeliveryRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Companies that something is due of, the longest waiting first. Nothing else of them is seen here. */
  async companiesWithDue(now: Date, limit: number): Promise<string[]> {
    return this.database.unscoped(mintSystemScope({ 'app.finds_webhooks': 'on' }), async ({ client }) => {
      const { rows } = await client.query<{ company_id: string }>(
        `SELECT company_id FROM webhook_deliveries WHERE due_at <= $1
         GROUP BY company_id ORDER BY min(due_at) LIMIT $2`,
        [now, limit],
      );
      return rows.map(({ company_id }) => company_id);
    });
  }

  /** Takes deliveries upon the caller: until the lease is over nobody else makes an attempt. */
  async claim(scope: TenantScope, now: Date, limit: number): Promise<ClaimedDelivery[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const lease = new Date(now.getTime() + LEASE_MS);
      const { rows } = await client.query<ClaimedDelivery>(CLAIM, [companyId, now, lease, limit]);
      return rows;
    });
  }

  async delivered(scope: TenantScope, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    await this.database.transaction(scope, (transaction) =>
      settle(transaction, delivery, { ...result, state: 'delivered', dueAt: null }),
    );
  }

  async putOff(
    scope: TenantScope,
    delivery: ClaimedDelivery,
    result: AttemptResult,
    until: Date,
  ): Promise<void> {
    await this.database.transaction(scope, (transaction) =>
      settle(transaction, delivery, { ...result, state: 'pending', dueAt: until }),
    );
  }

  async giveUp(scope: TenantScope, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    await this.database.transaction(scope, (transaction) =>
      settle(transaction, delivery, { ...result, state: 'failed', dueAt: null }),
    );
  }

  /** Gives a message up and its endpoint with it; all that waits for the endpoint goes too, and its owner is due to be told. */
  async disable(
    scope: TenantScope,
    delivery: ClaimedDelivery,
    result: AttemptResult,
    reason: DisabledReason,
    now: Date,
  ): Promise<void> {
    await this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const disabled = await client.query(
        `UPDATE webhook_endpoints SET disabled_at = $3, disabled_reason = $4
         WHERE company_id = $1 AND endpoint_id = $2 AND disabled_at IS NULL`,
        [companyId, delivery.endpointId, now, reason],
      );
      // Another delivery may have done it a moment before; its owner is told once.
      const isFirst = disabled.rowCount === 1;
      await settle(transaction, delivery, {
        ...result,
        ...(isFirst
          ? ({ state: 'notice', dueAt: now } as const)
          : ({ state: 'failed', dueAt: null } as const)),
      });
      await client.query(
        `UPDATE webhook_deliveries SET state = 'failed', due_at = NULL, fault = 'ENDPOINT_DISABLED'
         WHERE company_id = $1 AND endpoint_id = $2 AND state = 'pending'`,
        [companyId, delivery.endpointId],
      );
    });
  }

  /** Lets go of what was delivered or given up long ago, and of messages that wait for nobody. */
  async expire(scope: TenantScope, now: Date): Promise<void> {
    const before = new Date(now.getTime() - DAYS_KEPT * DAY_MS);
    await this.database.transaction(scope, async ({ client, companyId }) => {
      await client.query(
        `DELETE FROM webhook_deliveries AS delivery USING webhook_messages AS message
         WHERE delivery.company_id = $1 AND delivery.due_at IS NULL AND message.company_id = $1
           AND message.message_id = delivery.message_id AND message.created_at < $2`,
        [companyId, before],
      );
      await client.query(
        `DELETE FROM webhook_messages AS message WHERE company_id = $1 AND created_at < $2 AND NOT EXISTS (
           SELECT FROM webhook_deliveries AS delivery
           WHERE delivery.company_id = $1 AND delivery.message_id = message.message_id)`,
        [companyId, before],
      );
    });
  }
}

/** Only while the attempt is still the caller's: whoever comes back after its lease changes nothing. */
async function settle(
  { client, companyId }: TenantTransaction,
  { endpointId, messageId, attempts }: ClaimedDelivery,
  {
    state,
    dueAt,
    status,
    fault,
  }: AttemptResult & {
    readonly state: 'pending' | 'delivered' | 'failed' | 'notice';
    readonly dueAt: Date | null;
  },
): Promise<void> {
  await client.query(
    `UPDATE webhook_deliveries SET state = $5, due_at = $6, status = $7, fault = $8
     WHERE company_id = $1 AND endpoint_id = $2 AND message_id = $3 AND attempts = $4 AND state = 'pending'`,
    [companyId, endpointId, messageId, attempts, state, dueAt, status, fault],
  );
}
