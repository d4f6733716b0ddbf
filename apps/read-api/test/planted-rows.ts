import { createHash, randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';

export interface PlantedTouch {
  readonly campaignId: string;
  readonly recipientId: string;
  /** Index into OUTCOMES; the first unless given. */
  readonly outcome?: number;
}

/** A document as the analysis stores it. */
export async function plantSnapshot(
  database: Pick<TestDatabase, 'query'>,
  companyId: string,
  document: string,
  value: unknown,
) {
  const body = JSON.stringify(value);
  await database.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
      VALUES ($1, $2, $3, now(), now(), $4, $5)`,
    [companyId, document, randomUUID(), createHash('sha256').update(body).digest('base64url'), body],
  );
}

/** A settled message, as it came in and as it is counted. */
export async function plantTouch(
  database: Pick<TestDatabase, 'query'>,
  companyId: string,
  { campaignId, recipientId, outcome = 0 }: PlantedTouch,
) {
  const row = [companyId, campaignId, recipientId, outcome, randomUUID()];
  await database.query(
    `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time,
       sent_at, outcome_at, recipient_id, thread_id, campaign_id)
     SELECT $1, gen_random_uuid(), $5, 0, 0, $4, true, at, at, $3, 't', $2
     FROM (SELECT now() - interval '20 days' AS at) sent`,
    row,
  );
  await database.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
     SELECT $1, $5, 0, 0, 4, 0.9, $4, true, at::date, at, at, '{}', $3, 't', $2
     FROM (SELECT now() - interval '20 days' AS at) sent`,
    row,
  );
}
