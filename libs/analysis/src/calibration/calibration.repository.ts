import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, MATURITY_DAYS, OUTCOMES } from '@outcomes/contracts';
import { nextMessage } from '@outcomes/persistence';
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
/** Most decisions of each channel that one run scores, those with the newest messages first: each costs some look-ups. */
export const MAX_SCORED = 20_000;
/** Messages that are looked at for each that may be scored: many were not advised, such as the first to a contact. */
const LOOKED_AT = 5;

const RESPONDED = OUTCOMES.indexOf('responded');

const SENT_AS_ADVISED = `($2::text[])[channel + 1] = result ->> 'channel' AND sequence_step = (result ->> 'step')::int`;
const IN_WINDOW = `contact_state = 'open' AND decided_at > $4::date - ${WINDOW_DAYS}`;
const NEWEST_FIRST = 'ORDER BY decided_at DESC, decision_id DESC';

// The newest decision before a message about a contact, which is everybody who shares the address.
const LAST_DECISION = `SELECT * FROM (${[
  'contact_id = message.recipient_id',
  'recipient_hash = message.recipient_hash',
]
  .map(
    (
      whose,
    ) => `(SELECT decision_id, contact_id, recipient_hash, run_id, decided_at, result FROM workflow_decisions
        WHERE company_id = (SELECT $1::uuid) AND ${whose} AND ${IN_WINDOW} AND decided_at < message.sent_at
        ${NEWEST_FIRST} LIMIT 1)`,
  )
  .join(' UNION ALL ')}) AS either ${NEWEST_FIRST} LIMIT 1`;

// Before the first decision nothing was advised: of a company that brings its history along, none of that is gone through. A
// message may be of the day before by the clock of its sender.
const FIRST_DAY = `SELECT (min(decided_at) AT TIME ZONE 'UTC')::date - 1 FROM workflow_decisions
        WHERE company_id = (SELECT $1::uuid) AND decided_at > $4::date - ${WINDOW_DAYS}`;

// A prediction is about one message: the contact's next, on the channel and step that were advised. It counts when
// the whole cohort of that message has matured, replies and silence alike, or quick replies would flatter it. So it is the
// settled messages that are gone through, and of each what was said last before it: whether a decision is found depends
// neither on how many came after it nor on what became of its contact.
const CELLS = `
  SELECT run_id AS "runId", decided_at AS "decidedAt", (result ->> 'probability')::float8 AS probability,
    (result ->> 'low')::float8 AS low, (result ->> 'high')::float8 AS high, count(*)::int AS n,
    (count(*) FILTER (WHERE outcome = ${RESPONDED}))::int AS y
  FROM unnest($3::date[]) WITH ORDINALITY AS settled (through, place) CROSS JOIN LATERAL (
    SELECT run_id, decided_at, result, outcome
    FROM (
      SELECT touch_id, recipient_id, recipient_hash, channel, sequence_step, outcome, sent_at, sent_day FROM touches
      WHERE company_id = (SELECT $1::uuid) AND sent_day BETWEEN (${FIRST_DAY}) AND settled.through
      ORDER BY sent_day DESC, touch_id LIMIT ${LOOKED_AT} * $5::int
    ) AS message CROSS JOIN LATERAL (
      SELECT contact_id, recipient_hash, run_id, decided_at, result::jsonb AS result FROM (${LAST_DECISION}) AS last
    ) AS decision CROSS JOIN LATERAL (
      SELECT touch_id AS next_id FROM (${nextMessage('touch_id, sent_at, sequence_step')}) AS first
    ) AS next
    WHERE channel = place - 1 AND ${SENT_AS_ADVISED} AND next_id = touch_id
    ORDER BY sent_day DESC, touch_id LIMIT $5::int
  ) AS scored
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 2 DESC, 1, 3, 4, 5`;

// Of the newest decisions: how many cannot be scored yet, because nothing was sent since, or what was sent as advised has
// not settled. Of two decisions with the same next message the later one is what the service said of it.
const AWAITING = `
  SELECT (count(DISTINCT contact_id) FILTER (WHERE touch_id IS NULL))::int AS unfollowed,
    count(opened.settles_on)::int AS open, min(opened.settles_on)::text AS "firstSettlesOn"
  FROM (
    SELECT contact_id, result, next.*, row_number() OVER (PARTITION BY touch_id ${NEWEST_FIRST}) = 1 AS is_said
    FROM (
      SELECT decision_id, decided_at, contact_id, recipient_hash, result::jsonb AS result FROM workflow_decisions
      WHERE company_id = (SELECT $1::uuid) AND ${IN_WINDOW} ${NEWEST_FIRST} LIMIT $5::int
    ) AS decision
    LEFT JOIN LATERAL (${nextMessage('touch_id, channel, sequence_step, sent_at, sent_day')}) AS next ON true
  ) AS followed LEFT JOIN LATERAL (
    SELECT sent_day + ($6::int[])[channel + 1] AS settles_on
    WHERE is_said AND ${SENT_AS_ADVISED} AND sent_day > ($3::date[])[channel + 1]
  ) AS opened ON true
  WHERE result ->> 'action' <> 'stop'`;

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

  /**
   * Frozen predictions whose outcome is settled, newest run first.
   * @param limit - most predictions of each channel; those with the newest messages
   */
  async settled(
    scope: TenantScope,
    settled: readonly SettledChannel[],
    limit = MAX_SCORED,
  ): Promise<ScoredCell[]> {
    return (await this.#read(scope, CELLS, settled, [limit])) as ScoredCell[];
  }

  /** How many decisions of late cannot be scored yet. */
  async awaiting(scope: TenantScope, settled: readonly SettledChannel[]): Promise<AwaitingDecisions> {
    const [row] = (await this.#read(scope, AWAITING, settled, [
      MAX_SCORED,
      CHANNELS.map(
        (name, place) => settled.find(({ channel }) => channel === place)?.settleDays ?? MATURITY_DAYS[name],
      ),
    ])) as AwaitingDecisions[];
    return row ?? { unfollowed: 0, open: 0, firstSettlesOn: null };
  }

  async #read(
    scope: TenantScope,
    statement: string,
    settled: readonly SettledChannel[],
    further: readonly unknown[],
  ): Promise<object[]> {
    const until = observedUntil(settled);
    if (until === undefined) return [];
    const through = new Map(settled.map(({ channel, settledThrough }) => [channel, isoDay(settledThrough)]));
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<object>(statement, [
        companyId,
        CHANNELS,
        // Of a channel of which nothing counts nothing has settled.
        CHANNELS.map((_, channel) => through.get(channel) ?? '-infinity'),
        isoDay(until),
        ...further,
      ]);
      return rows;
    });
  }
}
