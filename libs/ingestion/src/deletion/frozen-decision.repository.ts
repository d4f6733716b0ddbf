import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { RemovedEvents } from '../storage/outcome-event.repository';

/** $1 company, $2 recipients, $3 addresses. */
export const FORGET_DECISIONS = `DELETE FROM workflow_decisions WHERE company_id = $1
  AND (contact_id = ANY ($2) OR recipient_hash = ANY ($3))`;

/** Decisions are frozen, and go with the events that they rest on. */
@Injectable()
export class FrozenDecisionRepository {
  /**
   * Deletes every decision about the recipients of removed events, and about others of the same address, because
   * what happened to one is known of all. Call it after the touches went: a run that froze something meanwhile has
   * then been waited for.
   */
  async forget(
    { client, companyId }: TenantTransaction,
    { recipientIds, addresses }: Pick<RemovedEvents, 'recipientIds' | 'addresses'>,
  ): Promise<void> {
    if (recipientIds.length === 0) return;
    await client.query(FORGET_DECISIONS, [companyId, recipientIds, addresses]);
  }

  /** Deletes what was decided up to the cutoff, and what was known of the company then. */
  async expire({ client, companyId }: TenantTransaction, cutoff: Date): Promise<void> {
    await client.query('DELETE FROM workflow_decisions WHERE company_id = $1 AND decided_at <= $2', [
      companyId,
      cutoff,
    ]);
    await client.query('DELETE FROM decision_models WHERE company_id = $1 AND data_as_of <= $2', [
      companyId,
      cutoff,
    ]);
  }
}
