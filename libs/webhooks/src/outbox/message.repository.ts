import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '@outcomes/tenancy';
import { MAX_BODY_BYTES, type WebhookMessage, type WebhookType } from '../webhook-types';

/** Who is told of what, in a transaction. */
export interface Subscription {
  readonly endpointId: string;
  readonly types: readonly string[];
}

/** @returns the endpoints of a company that are told of anything; empty for most companies */
export async function subscriptionsOf({ client, companyId }: TenantTransaction): Promise<Subscription[]> {
  const { rows } = await client.query<Subscription>(
    `SELECT endpoint_id AS "endpointId", types FROM webhook_endpoints
     WHERE company_id = $1 AND disabled_at IS NULL ORDER BY endpoint_id`,
    [companyId],
  );
  return rows;
}

/** Whether any of the endpoints is told of a type. */
export function isWanted(subscriptions: readonly Subscription[], type: WebhookType): boolean {
  return subscriptions.some(({ types }) => types.includes(type));
}

/**
 * Puts messages into the outbox, in the transaction that makes them true: both are committed, or neither. A worker
 * delivers them after that.
 * @param at - when it came to be, which every attempt tells
 * @returns ids of the messages that somebody is told of
 */
export async function writeMessages(
  transaction: TenantTransaction,
  subscriptions: readonly Subscription[],
  messages: readonly WebhookMessage[],
  at: Date,
): Promise<string[]> {
  const written = messages.flatMap((message) => {
    const to = subscriptions.filter(({ types }) => types.includes(message.type));
    return to.length === 0 ? [] : [{ id: randomUUID(), type: message.type, body: bodyOf(message, at), to }];
  });
  const ids = written.map(({ id }) => id);
  if (ids.length === 0) return ids;
  const { client, companyId } = transaction;
  await client.query(
    `INSERT INTO webhook_messages (company_id, message_id, type, body, created_at)
     SELECT $1, message_id, type, body, $5 FROM unnest($2::uuid[], $3::text[], $4::text[]) AS new (message_id, type, body)
     /*citus RETURNING 1*/`,
    [companyId, ids, written.map(({ type }) => type), written.map(({ body }) => body), at],
  );
  const deliveries = written.flatMap(({ id, to }) => to.map(({ endpointId }) => ({ id, endpointId })));
  await client.query(
    `INSERT INTO webhook_deliveries (company_id, endpoint_id, message_id, state, attempts, due_at)
     SELECT $1, endpoint_id, message_id, 'pending', 0, $4 FROM unnest($2::text[], $3::uuid[]) AS new (endpoint_id, message_id)
     /*citus RETURNING 1*/`,
    [companyId, deliveries.map(({ endpointId }) => endpointId), deliveries.map(({ id }) => id), at],
  );
  return ids;
}

/** A message that would be too large is told without what it is about: a run must not fail for who is told of it. */
function bodyOf({ type, data }: WebhookMessage, at: Date): string {
  const body = (told: object) => JSON.stringify({ type, timestamp: at.toISOString(), data: told });
  return Buffer.byteLength(body(data)) < MAX_BODY_BYTES ? body(data) : body({ omitted: true });
}
