import { firstMessage, nextMessage } from '@outcomes/persistence';
import { PLACE } from './decision-place';

// Parts of statements about decisions. $1 is the company.

const SHA256 = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** What is served of a decision, the message that it follows and the first one after it. */
export const COLUMNS = `decision_id AS "decisionId", decided_at AS "decidedAt", run_id AS "runId", contact_id AS "contactId",
  decision.thread_id AS "threadId", decision.campaign_id AS "campaignId", last.sent_at AS "lastSentAt",
  engine_version AS "engineVersion", inputs, result, ${SHA256('inputs')} AS "inputsSha256",
  ${SHA256('result')} AS "resultSha256", encode(model_sha256, 'hex') AS "modelSha256",
  next.channel, next.sequence_step AS step, next.outcome, next.sent_at AS "sentAt", next.sent_day::text AS "sentDay",
  next.outcome_at AS "outcomeAt", is_past AS "isPast", ${PLACE} AS place`;

/**
 * A row of one column for a decision: whether the message that it follows is not the newest to its contact any more, in the
 * order in which decisions are made. What was reported late counts however long before the decision it was sent. Where that
 * message is gone, what was sent after the decision outdates it.
 */
const IS_PAST = `SELECT coalesce(bool_or(touch_id <> after_touch_id AND (sent_at > decided_at
    OR EXISTS (SELECT FROM touches AS before
      WHERE before.company_id = (SELECT $1::uuid) AND before.touch_id = after_touch_id OFFSET 0))), false) AS is_past
  FROM (${firstMessage('touch_id, sent_at, sequence_step', 'sent_at DESC, sequence_step DESC, touch_id', '')}) AS newest`;

export const NEIGHBOURS = `CROSS JOIN LATERAL (${IS_PAST}) AS past
  LEFT JOIN touches AS last ON last.company_id = (SELECT $1::uuid) AND last.touch_id = after_touch_id
  LEFT JOIN LATERAL (${nextMessage('channel, sequence_step, outcome, sent_at, sent_day, outcome_at, touch_id')}) AS next ON true`;
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

/** Of a decision: none about its contact is newer. One about another id of its address follows a newer message. */
const NO_NEWER = `NOT EXISTS (SELECT FROM workflow_decisions AS newer
      WHERE newer.company_id = (SELECT $1::uuid) AND newer.contact_id = decision.contact_id
        AND (newer.decided_at, newer.decision_id) > (decision.decided_at, decision.decision_id) OFFSET 0)`;

/**
 * A row of one column for a decision: when its advice allows to write, at once or when the rest after the message before is
 * over. A day is 24 hours: one of the session's time zone has 23 or 25 where clocks are changed.
 */
export const NOT_BEFORE = `SELECT CASE WHEN days = 0 THEN decided_at ELSE
    coalesce((SELECT sent_at FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = after_touch_id), decided_at)
      + ((inputs::jsonb ->> 'daysSinceLastTouch')::float8 + days) * interval '24 hours' END
  FROM (SELECT (result::jsonb ->> 'waitDays')::float8 AS days OFFSET 0) AS waiting`;

/**
 * Decisions that still hold: the newest about their contact, after the newest message to it. First their ids, from the
 * index alone: Postgres would rather sort whole decisions than read them in its order. Behind OFFSET 0 each is looked up by
 * itself, however many rows Postgres takes the company to have, and so is the newest message to its contact.
 * @param ofEach - selects of decision_id and decided_at, of one action each; $5 is how many are served
 * @param latest - order and limit of those that are looked at
 * @param isDue - a further condition of decisions, beginning with AND; or nothing
 */
export function standingStatement({
  ofEach,
  latest,
  isDue,
}: {
  readonly ofEach: readonly string[];
  readonly latest: string;
  readonly isDue: string;
}): string {
  return `WITH looked_at AS MATERIALIZED (SELECT decision_id FROM (${ofEach.join(' UNION ALL ')}) AS any_of ${latest}),
  candidate AS MATERIALIZED (
    SELECT known.* FROM looked_at CROSS JOIN LATERAL (
      SELECT decision_id, decided_at, contact_id, recipient_hash, after_touch_id, inputs, result FROM workflow_decisions
      WHERE company_id = (SELECT $1::uuid) AND decision_id = looked_at.decision_id OFFSET 0) AS known
  ),
  holding AS MATERIALIZED (
    SELECT decision_id, decided_at FROM candidate AS decision
    WHERE ${NO_NEWER} AND NOT (${IS_PAST}) ${isDue}
  )
  SELECT found.*, looked.at, looked.oldest, (SELECT count(*)::integer FROM holding) AS total
  FROM (SELECT count(*)::integer AS at,
      (array_agg(${PLACE} ${NEWEST_FIRST}))[count(*)::integer] AS oldest FROM candidate) AS looked
  LEFT JOIN (
    SELECT ${COLUMNS} FROM (SELECT decision_id AS id FROM holding ${NEWEST_FIRST} LIMIT $5) AS served
    CROSS JOIN LATERAL (SELECT * FROM workflow_decisions
      WHERE company_id = (SELECT $1::uuid) AND decision_id = served.id OFFSET 0) AS decision ${NEIGHBOURS}
  ) AS found ON true
  ORDER BY "decidedAt" DESC, "decisionId" DESC`;
}
