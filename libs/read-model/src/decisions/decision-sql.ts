// Parts of statements about decisions. $1 is the company.

const SHA256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** What is served of a decision, the message that it follows and the first one after it. */
export const COLUMNS = `decision_id AS "decisionId", decided_at AS "decidedAt", run_id AS "runId", contact_id AS "contactId",
  decision.thread_id AS "threadId", decision.campaign_id AS "campaignId", last.sent_at AS "lastSentAt",
  engine_version AS "engineVersion", inputs, result, ${SHA256('inputs')} AS "inputsSha256",
  ${SHA256('result')} AS "resultSha256", encode(model_sha256, 'hex') AS "modelSha256",
  next.channel, next.sequence_step AS step, next.outcome, next.sent_at AS "sentAt", next.outcome_at AS "outcomeAt"`;
export const NEIGHBOURS = `LEFT JOIN touches AS last ON last.company_id = (SELECT $1::uuid) AND last.touch_id = after_touch_id
  LEFT JOIN LATERAL (
    SELECT channel, sequence_step, outcome, sent_at, outcome_at FROM touches
    WHERE company_id = (SELECT $1::uuid) AND recipient_id = contact_id AND sent_at > decided_at
    ORDER BY sent_at, sequence_step, touch_id LIMIT 1
  ) AS next ON true`;
export const NEWEST_FIRST = 'ORDER BY decided_at DESC, decision_id DESC';

/** The newest decision about each of some contacts, found by recipient_id or by address; $4 to $6 bound its time. */
export const NEWEST_OF_EACH = ['contact_id = asked.id', 'recipient_hash = asked.hash']
  .map(
    (
      whose,
    ) => `(SELECT * FROM workflow_decisions WHERE company_id = (SELECT $1::uuid) AND ${whose} AND decided_at > $4
      AND decided_at >= $5 AND decided_at < $6 ${NEWEST_FIRST} LIMIT 1)`,
  )
  .join(' UNION ALL ');

/** A row of one column for a decision: when its advice allows to write, at once or when the rest after the message before is over. */
export const NOT_BEFORE = `SELECT CASE WHEN days = 0 THEN decided_at ELSE
    coalesce((SELECT sent_at FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = after_touch_id), decided_at)
      + ((inputs::jsonb ->> 'daysSinceLastTouch')::float8 + days) * interval '1 day' END
  FROM (SELECT (result::jsonb ->> 'waitDays')::float8 AS days OFFSET 0) AS waiting`;
