import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, MATURITY_DAYS, OUTCOMES } from '@outcomes/contracts';
import type { PredictionCell } from '@outcomes/statistics';
import { isoDay } from '../cohorts/days';
import { observedUntil, type SettledChannel } from '../drift/settled-channels';
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

const SENT_AS_ADVISED = `next.is_said AND ($2::text[])[next.channel + 1] = result ->> 'channel' AND next.sequence_step = (result ->> 'step')::int`;

/**
 * The decisions to score, up to the day that the condition names, and the first message that each contact got after. Of two
 * decisions with the same next message the later one is what the service said of it.
 */
const followed = (condition: string) => `
  WITH decision AS MATERIALIZED (
    SELECT decision_id, run_id, decided_at, contact_id, result::jsonb AS result
    FROM workflow_decisions
    WHERE company_id = $1 AND contact_state = 'open' AND decided_at > $5::date - ${WINDOW_DAYS}${condition}
    ORDER BY decided_at DESC, decision_id DESC LIMIT ${MAX_SCORED}
  ),
  following AS (
    SELECT DISTINCT ON (decision_id) decision_id, decided_at, touch_id, channel, sequence_step, outcome, sent_day
    FROM decision JOIN touches ON recipient_id = contact_id AND sent_at > decided_at
    WHERE company_id = $1 AND recipient_id = ANY ($4::text[])
    ORDER BY decision_id, sent_at, sequence_step, touch_id
  ),
  next AS MATERIALIZED (
    SELECT decision_id, channel, sequence_step, outcome, sent_day,
      row_number() OVER (PARTITION BY touch_id ORDER BY decided_at DESC, decision_id DESC) = 1 AS is_said
    FROM following
  )`;

// A prediction is about one message: the contact's next, on the channel and step that were advised. It counts when
// the whole cohort of that message has matured, replies and silence alike, or quick replies would flatter it.
const SETTLED = ` AND decided_at < $5::date - ${FIRST_MATURITY - 1}`;
const CELLS = `${followed(SETTLED)}
  SELECT run_id AS "runId", decided_at AS "decidedAt", (result ->> 'probability')::float8 AS probability,
    (result ->> 'low')::float8 AS low, (result ->> 'high')::float8 AS high, count(*)::int AS n,
    (count(*) FILTER (WHERE next.outcome = ${RESPONDED}))::int AS y
  FROM decision JOIN next USING (decision_id)
  WHERE result ->> 'action' <> 'stop' AND ${SENT_AS_ADVISED} AND next.sent_day <= ($3::date[])[next.channel + 1]
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 2 DESC, 1, 3, 4, 5`;

// Of the same decisions and the younger ones: how many cannot be scored yet, because nothing was sent since, or what was
// sent as advised has not settled.
const AWAITING = `${followed('')}
  SELECT (count(DISTINCT contact_id) FILTER (WHERE next.channel IS NULL))::int AS unfollowed,
    count(opened.settles_on)::int AS open, min(opened.settles_on)::text AS "firstSettlesOn"
  FROM decision LEFT JOIN next USING (decision_id) LEFT JOIN LATERAL (
    SELECT next.sent_day + ($6::int[])[next.channel + 1] AS settles_on
    WHERE ${SENT_AS_ADVISED} AND next.sent_day > ($3::date[])[next.channel + 1]
  ) AS opened ON true
  WHERE result ->> 'action' <> 'stop'`;

const CONTACTS = `
  SELECT coalesce(array_agg(DISTINCT contact_id), '{}') AS contacts FROM (
    SELECT contact_id FROM workflow_decisions
    WHERE company_id = $1 AND contact_state = 'open'
      AND decided_at > $2::date - ${WINDOW_DAYS}
    ORDER BY decided_at DESC, decision_id DESC LIMIT ${MAX_SCORED}
  ) AS decision`;

// Postgres may hold that a company has next to no messages, because its statistics are older than an import. It would
// then read all of them anew for each decision; joined by hash, they are read once however wrong it is.
const BY_HASH = 'SET LOCAL enable_nestloop = off';

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
  async settled(scope: TenantScope, settled: readonly SettledChannel[]): Promise<ScoredCell[]> {
    return (await this.#read(scope, CELLS, settled)) as ScoredCell[];
  }

  /** How many decisions of late cannot be scored yet. */
  async awaiting(scope: TenantScope, settled: readonly SettledChannel[]): Promise<AwaitingDecisions> {
    const [row] = (await this.#read(scope, AWAITING, settled, [
      CHANNELS.map((channel) => MATURITY_DAYS[channel]),
    ])) as AwaitingDecisions[];
    return row ?? { unfollowed: 0, open: 0, firstSettlesOn: null };
  }

  async #read(
    scope: TenantScope,
    statement: string,
    settled: readonly SettledChannel[],
    further: readonly unknown[] = [],
  ): Promise<object[]> {
    const until = observedUntil(settled);
    if (until === undefined) return [];
    const through = new Map(settled.map(({ channel, settledThrough }) => [channel, isoDay(settledThrough)]));
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows: decided } = await client.query<{ contacts: string[] }>(CONTACTS, [
        companyId,
        isoDay(until),
      ]);
      await client.query(BY_HASH);
      const { rows } = await client.query<object>(statement, [
        companyId,
        CHANNELS,
        // Of a channel of which nothing counts nothing has settled.
        CHANNELS.map((_, channel) => through.get(channel) ?? '-infinity'),
        (decided[0] as (typeof decided)[number]).contacts,
        isoDay(until),
        ...further,
      ]);
      return rows;
    });
  }
}
