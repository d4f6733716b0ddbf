import type { TenantTransaction } from '@outcomes/tenancy';
import type { FrozenRow } from './freeze-decision';

/** A decision as it was frozen, with the model that made it; null where that is gone. */
export type FrozenDecision = FrozenRow & { readonly model: string | null };

/** Everything that was frozen with a decision. */
const FROZEN = `
  SELECT company_id AS "companyId", decision_id AS "decisionId", contact_id AS "contactId",
    recipient_hash AS "recipientHash", thread_id AS "threadId", campaign_id AS "campaignId",
    after_touch_id AS "touchId", contact_state AS state, decided_at AS "decidedAt",
    engine_version AS "engineVersion", encode(model_sha256, 'hex') AS "modelSha256", inputs, result,
    body AS model
  FROM workflow_decisions LEFT JOIN decision_models USING (company_id, model_sha256)`;

export async function frozenDecision(
  { client, companyId }: TenantTransaction,
  decisionId: string,
): Promise<FrozenDecision | undefined> {
  const { rows } = await client.query<FrozenDecision>(
    `${FROZEN} WHERE company_id = $1 AND decision_id = $2`,
    [companyId, decisionId],
  );
  return rows[0];
}

/** The next decisions behind one, in their order; of everybody, or about one contact. */
export async function frozenDecisionsBehind(
  { client, companyId }: TenantTransaction,
  after: string,
  limit: number,
  contactId?: string,
): Promise<FrozenDecision[]> {
  const { rows } = await client.query<FrozenDecision>(
    `${FROZEN} WHERE company_id = $1 AND decision_id > $2 AND ($3::text IS NULL OR contact_id = $3)
     ORDER BY decision_id LIMIT $4`,
    [companyId, after, contactId ?? null, limit],
  );
  return rows;
}
