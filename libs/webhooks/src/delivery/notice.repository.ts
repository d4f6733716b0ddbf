import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Somebody to tell that an endpoint was disabled. */
export interface DueNotice {
  readonly endpointId: string;
  readonly messageId: string;
  readonly host: string;
  /** Null where it has been enabled since. */
  readonly reason: string | null;
  /** Contact of the company; null where it has none. */
  readonly email: string | null;
}

const PAUSE_MS = 900_000;

/** Whose endpoints were disabled and who is still to be told. */
@Injectable()
export class NoticeRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Takes one upon the caller, and puts the next attempt off in the same statement. */
  async claim(scope: TenantScope, now: Date): Promise<DueNotice | undefined> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Omit<DueNotice, 'host'> & { readonly url: string }>(
        `WITH due AS (
           SELECT endpoint_id, message_id FROM webhook_deliveries
           WHERE company_id = $1 AND state = 'notice' AND due_at <= $2
           ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
         )
         UPDATE webhook_deliveries AS delivery SET due_at = $3
         FROM due, webhook_endpoints AS endpoint
         WHERE delivery.company_id = $1 AND delivery.endpoint_id = due.endpoint_id
           AND delivery.message_id = due.message_id
           AND endpoint.company_id = $1 AND endpoint.endpoint_id = due.endpoint_id
         RETURNING delivery.endpoint_id AS "endpointId", delivery.message_id AS "messageId", endpoint.url,
           endpoint.disabled_reason AS reason,
           (SELECT email FROM key_contacts WHERE company_id = $1 AND key_id = '') AS email`,
        [companyId, now, new Date(now.getTime() + PAUSE_MS)],
      );
      const [found] = rows;
      if (!found) return undefined;
      const { url, ...notice } = found;
      return { ...notice, host: new URL(url).host };
    });
  }

  /** Nobody is told again. */
  async settle(scope: TenantScope, { endpointId, messageId }: DueNotice): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query(
        `UPDATE webhook_deliveries SET state = 'failed', due_at = NULL
         WHERE company_id = $1 AND endpoint_id = $2 AND message_id = $3 AND state = 'notice'`,
        [companyId, endpointId, messageId],
      ),
    );
  }
}
