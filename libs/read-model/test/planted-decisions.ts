import { createHash, randomUUID } from 'node:crypto';
import { contactDecider, type DecisionInputs, type DecisionModel } from '@outcomes/statistics';
import type { TestDatabase } from '@outcomes/testing';

export const DECISION_MODEL: DecisionModel = {
  policy: { maxSteps: 8, minGapDays: 2 },
  contact: null,
  patterns: { codes: ['TA-1'], tone: 'direct', daypart: null, weekday: null },
};
const ARMS = [{ channel: 'email', position: 'vp', alpha: 5, beta: 95, own_data_share: 0.75 }];
const MODEL = JSON.stringify({ ...DECISION_MODEL, arms: ARMS });
const sha256 = (text: string) => createHash('sha256').update(text).digest();

export interface PlantedDecision {
  readonly companyId: string;
  readonly contactId: string;
  readonly decidedAt: string;
  readonly decisionId?: string;
  readonly afterTouchId?: string;
  readonly campaignId?: string | null;
  readonly threadId?: string;
  readonly recipientHash?: string | null;
  readonly inputs?: Partial<DecisionInputs>;
}

/** Plants a decision as a run freezes it, with its model. */
export async function plantDecision(database: TestDatabase, decision: PlantedDecision): Promise<string> {
  const decisionId = decision.decisionId ?? randomUUID();
  const inputs: DecisionInputs = {
    seed: 7,
    ended: null,
    currentChannel: 'email',
    currentStep: 0,
    daysSinceLastTouch: 5,
    position: 'vp',
    features: [],
    candidates: [{ channel: 'email', alpha: 5, beta: 95, source: 'segment' }],
    ...decision.inputs,
  };
  await database.query(
    `INSERT INTO decision_models (company_id, model_sha256, data_as_of, body) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [decision.companyId, sha256(MODEL), decision.decidedAt, MODEL],
  );
  await database.query(
    `INSERT INTO workflow_decisions (company_id, decision_id, decided_at, run_id, after_touch_id, contact_state,
       contact_id, recipient_hash, thread_id, campaign_id, engine_version, model_sha256, inputs, result)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'test', $11, $12, $13)`,
    [
      decision.companyId,
      decisionId,
      decision.decidedAt,
      randomUUID(),
      decision.afterTouchId ?? randomUUID(),
      inputs.ended ?? 'open',
      decision.contactId,
      decision.recipientHash ?? null,
      decision.threadId ?? 'thread-1',
      decision.campaignId ?? null,
      sha256(MODEL),
      JSON.stringify(inputs),
      JSON.stringify(contactDecider(DECISION_MODEL)(inputs)),
    ],
  );
  return decisionId;
}
