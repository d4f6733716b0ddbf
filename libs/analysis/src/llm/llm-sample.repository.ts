import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { Body } from './scrub-bodies';

/** A body that its sender opted to send, with the outcome of its message. */
export interface SentBody extends Body {
  readonly answered: boolean;
}

/** Newest messages that are searched for bodies: the cost is the same whatever the history. */
const NEWEST_MESSAGES = 5_000;
/** Bodies that the vocabulary is learnt from; fewer of them go to the model. */
const MAX_BODIES = 400;

// Whoever unsubscribed is left out, and of those who answered and those who did not the newest come first.
const BODIES = `
  WITH recent AS (
    SELECT touch_id, recipient_id, outcome FROM touches
    WHERE company_id = (SELECT $1::uuid) AND outcome IN (0, 1)
    ORDER BY sent_day DESC, touch_id LIMIT ${NEWEST_MESSAGES}
  ), bodies AS (
    SELECT recent.recipient_id AS recipient, recent.outcome = 1 AS answered, e.body AS text,
      row_number() OVER (PARTITION BY recent.outcome ORDER BY e.sent_at DESC, e.event_id) AS place
    FROM recent JOIN LATERAL (
      SELECT body, sent_at, event_id FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = recent.recipient_id AND touch_id = recent.touch_id AND body IS NOT NULL
      ORDER BY event_id LIMIT 1
    ) AS e ON true
  )
  SELECT recipient, answered, text FROM bodies WHERE place <= ${MAX_BODIES / 2} ORDER BY place, answered`;

// Days that are over say nothing any more.
const FORGET = `DELETE FROM llm_usage WHERE company_id = $1 AND day < $2::date`;
const CLAIM = `
  INSERT INTO llm_usage (company_id, day, messages) VALUES ($1, $2, $3)
  ON CONFLICT (company_id, day) DO UPDATE SET messages = llm_usage.messages + excluded.messages
    WHERE llm_usage.messages + excluded.messages <= $4
  RETURNING messages`;

@Injectable()
export class LlmSampleRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** The newest bodies, answered and unanswered by turns. */
  async bodies(scope: TenantScope): Promise<SentBody[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      return (await client.query<SentBody>(BODIES, [companyId])).rows;
    });
  }

  /**
   * Takes messages from a company's daily allowance, all or none, whoever else takes at the same time.
   * @param day - UTC, YYYY-MM-DD
   * @returns false where the day's allowance does not hold them
   */
  async claim(scope: TenantScope, day: string, messages: number, allowance: number): Promise<boolean> {
    if (messages > allowance) return false;
    return this.database.transaction(scope, async ({ client, companyId }) => {
      await client.query(FORGET, [companyId, day]);
      return ((await client.query(CLAIM, [companyId, day, messages, allowance])).rowCount ?? 0) > 0;
    });
  }
}
