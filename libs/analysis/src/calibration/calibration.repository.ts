import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, MATURITY_DAYS, OUTCOMES } from '@outcomes/contracts';
import type { PredictionCell } from '@outcomes/statistics';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Predictions of one run that were alike, and what came of them. */
export interface ScoredCell extends PredictionCell {
  readonly runId: string;
  readonly decidedAt: Date;
}

/** Decisions older than this say little about the predictions of today. */
const WINDOW_DAYS = 120;
/** Most decisions that one run scores, newest first: each costs a look at the contact's messages. */
export const MAX_SCORED = 20_000;

const RESPONDED = OUTCOMES.indexOf('responded');
const FIRST_MATURITY = Math.min(...Object.values(MATURITY_DAYS));

// A prediction is about one message: the contact's next, on the channel and step that were advised. It counts when
// the whole cohort of that message has matured, replies and silence alike, or quick replies would flatter it.
const CELLS = `
  WITH newest AS (SELECT max(sent_day) AS day FROM cohort_counts WHERE company_id = $1 AND touches > 0),
  decision AS MATERIALIZED (
    SELECT run_id, decided_at, contact_id, result::jsonb AS result
    FROM workflow_decisions, newest
    WHERE company_id = $1 AND contact_state = 'open' AND decided_at > newest.day - ${WINDOW_DAYS}
      AND decided_at < newest.day - ${FIRST_MATURITY - 1}
    ORDER BY decided_at DESC, decision_id DESC LIMIT ${MAX_SCORED}
  )
  SELECT run_id AS "runId", decided_at AS "decidedAt", (result ->> 'probability')::float8 AS probability,
    (result ->> 'low')::float8 AS low, (result ->> 'high')::float8 AS high, count(*)::int AS n,
    (count(*) FILTER (WHERE next.outcome = ${RESPONDED}))::int AS y
  FROM newest, decision CROSS JOIN LATERAL (
    SELECT channel, sequence_step, outcome, sent_day FROM touches
    WHERE company_id = $1 AND recipient_id = decision.contact_id AND sent_at > decision.decided_at
    ORDER BY sent_at, sequence_step, touch_id LIMIT 1
  ) AS next
  WHERE result ->> 'action' <> 'stop' AND ($2::text[])[next.channel + 1] = result ->> 'channel'
    AND next.sequence_step = (result ->> 'step')::int AND next.sent_day <= newest.day - ($3::int[])[next.channel + 1]
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 2 DESC, 1, 3, 4, 5`;

// Of the same decisions and the younger ones: how many cannot be scored yet, because nothing was sent since, or what was
// sent as advised has not settled.
const AWAITING = `
  WITH newest AS (SELECT max(sent_day) AS day FROM cohort_counts WHERE company_id = $1 AND touches > 0),
  decision AS MATERIALIZED (
    SELECT decided_at, contact_id, result::jsonb AS result
    FROM workflow_decisions, newest
    WHERE company_id = $1 AND contact_state = 'open' AND decided_at > newest.day - ${WINDOW_DAYS}
    ORDER BY decided_at DESC, decision_id DESC LIMIT ${MAX_SCORED}
  )
  SELECT (count(*) FILTER (WHERE next.channel IS NULL))::int AS unfollowed,
    (count(*) FILTER (WHERE opened.settles_on > newest.day))::int AS open,
    (min(opened.settles_on) FILTER (WHERE opened.settles_on > newest.day))::text AS "firstSettlesOn"
  FROM newest, decision LEFT JOIN LATERAL (
    SELECT channel, sequence_step, sent_day FROM touches
    WHERE company_id = $1 AND recipient_id = decision.contact_id AND sent_at > decision.decided_at
    ORDER BY sent_at, sequence_step, touch_id LIMIT 1
  ) AS next ON true LEFT JOIN LATERAL (
    SELECT next.sent_day + ($3::int[])[next.channel + 1] AS settles_on
    WHERE ($2::text[])[next.channel + 1] = result ->> 'channel' AND next.sequence_step = (result ->> 'step')::int
  ) AS opened ON true
  WHERE result ->> 'action' <> 'stop'`;

// Of a new company Postgres takes the touches to be few, and would read them all for each decision.
const BY_KEYS = 'SET LOCAL enable_seqscan = off';

/** Decisions that cannot be scored yet. */
export interface AwaitingDecisions {
  /** Contacts who got no message since. */
  readonly unfollowed: number;
  /** Messages as advised that have not settled. */
  readonly open: number;
  /** Day on which the first of these settles, YYYY-MM-DD; null where there is none. */
  readonly firstSettlesOn: string | null;
}

@Injectable()
export class CalibrationRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Frozen predictions whose outcome is settled, newest run first. */
  async settled(scope: TenantScope): Promise<ScoredCell[]> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      await client.query(BY_KEYS);
      const { rows } = await client.query<ScoredCell>(CELLS, [
        companyId,
        CHANNELS,
        CHANNELS.map((channel) => MATURITY_DAYS[channel]),
      ]);
      return rows;
    });
  }

  /** How many decisions of late cannot be scored yet. */
  async awaiting(scope: TenantScope): Promise<AwaitingDecisions> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      await client.query(BY_KEYS);
      const { rows } = await client.query<AwaitingDecisions>(AWAITING, [
        companyId,
        CHANNELS,
        CHANNELS.map((channel) => MATURITY_DAYS[channel]),
      ]);
      return rows[0] ?? { unfollowed: 0, open: 0, firstSettlesOn: null };
    });
  }
}
