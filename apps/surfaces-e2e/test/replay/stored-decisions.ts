import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';
import type { VariedDecision } from './varied-decisions';

/** Writes decisions down as a run does. */
export async function storeDecisions(
  database: Pick<TestDatabase, 'query'>,
  decisions: readonly VariedDecision[],
): Promise<void> {
  const runId = randomUUID();
  for (const [{ model, body, sha256 }, made] of Map.groupBy(decisions, ({ stored }) => stored)) {
    const rows = made.map(({ row }) => row);
    const [companyId] = rows.map((row) => row.companyId);
    await database.query(
      `INSERT INTO decision_models (company_id, model_sha256, data_as_of, body)
       VALUES ($1, decode($2, 'hex'), $3, $4) ON CONFLICT DO NOTHING`,
      [companyId, sha256, model.data_as_of, body],
    );
    await database.query(
      `INSERT INTO workflow_decisions (company_id, run_id, engine_version, model_sha256, decided_at, decision_id,
         after_touch_id, contact_state, contact_id, thread_id, campaign_id, inputs, result)
       SELECT $1, $2, $3, decode($4, 'hex'), $5, "decisionId", "touchId", state, "contactId", "threadId", "campaignId",
         inputs, result
       FROM jsonb_to_recordset($6) AS row ("decisionId" uuid, "touchId" uuid, state text, "contactId" text,
         "threadId" text, "campaignId" text, inputs text, result text)`,
      [companyId, runId, model.engine_version, sha256, model.data_as_of, JSON.stringify(rows)],
    );
  }
}
