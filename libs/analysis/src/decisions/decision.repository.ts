import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, OUTCOMES, POSITIONS } from '@outcomes/contracts';
import {
  ADDRESS_OF_EVENT,
  contactOf,
  HAS_ANSWERED,
  lockTouches,
  MAX_TOUCHES_OF_ADDRESS,
  standingsOf,
  type ContactStanding,
} from '@outcomes/persistence';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import { observedUntil, type SettledChannel } from '../drift/settled-channels';
import type { StepCount } from './decision-model';
import { DECISION_POLICY, HISTORY_DAYS, MAX_CONTACTS } from './decision-policy';
import type { ContactState, DecisionPoint, FrozenRow, StoredModel } from './freeze-decision';

const NO_REPLY = OUTCOMES.indexOf('no_response');

const UUID_BYTES = 16;

// The newest message of every contact with a message in the active days, where nothing stands yet about it in its
// present state: neither what was decided while it was open, of one that has ended since, nor a stop of which nothing here
// tells the reason any more. Who opted out, under whatever id of the address, is looked at again, so that no advice to send
// is the last word. Messages and decisions are grouped together rather than joined: of a company that its statistics do not
// know yet, Postgres would read the decisions anew for each message. Nothing older than the active days was decided after
// such a message. Ids come as one packed value: 200,000 of them are 3.2 MB. 2 is bounced, 3 unsubscribed.
const UNDECIDED = `
  WITH opted_out AS MATERIALIZED (
    SELECT recipient_id, ${ADDRESS_OF_EVENT} AS recipient_hash FROM outcome_events
    WHERE company_id = (SELECT $1::uuid) AND outcome IN (2, 3)
  ), refused AS MATERIALIZED (
    SELECT recipient_hash FROM opted_out WHERE recipient_hash IS NOT NULL
    UNION SELECT recipient_hash FROM suppressions WHERE company_id = (SELECT $1::uuid)
    UNION SELECT recipient_hash FROM touches WHERE company_id = (SELECT $1::uuid) AND recipient_hash IS NOT NULL
      AND recipient_id IN (SELECT recipient_id FROM opted_out)
  )
  SELECT string_agg(uuid_send(touch_id), ''::bytea) AS ids FROM (
    SELECT touch_id FROM (
      SELECT recipient_id, bool_or(outcome <> ${NO_REPLY} OR meeting_booked OR recipient_id IN (SELECT recipient_id FROM opted_out)
          OR recipient_hash IN (SELECT recipient_hash FROM refused)) AS ended,
        (array_agg(touch_id ORDER BY sent_at DESC, sequence_step DESC, touch_id))[1] AS touch_id,
        NULL::timestamptz AS stopped, NULL::timestamptz AS advised
      FROM touches
      WHERE company_id = (SELECT $1::uuid) AND sent_day >= $2::timestamptz::date - ${DECISION_POLICY.activeDays} AND sent_at <= $2
      GROUP BY recipient_id
      UNION ALL
      SELECT NULL, NULL, after_touch_id, CASE WHEN contact_state <> 'open' THEN decided_at END,
        CASE WHEN contact_state = 'open' THEN decided_at END
      FROM workflow_decisions
      WHERE company_id = (SELECT $1::uuid)
        AND decided_at > $2::timestamptz - ${DECISION_POLICY.activeDays + 3} * interval '24 hours'
    ) AS newest
    GROUP BY touch_id
    HAVING max(recipient_id) IS NOT NULL AND (coalesce(max(stopped), max(advised)) IS NULL
      OR bool_or(ended) = (coalesce(max(stopped), '-infinity') < coalesce(max(advised), '-infinity')))
    ORDER BY max(recipient_id) LIMIT ${MAX_CONTACTS}
  ) AS undecided`;

// A contact is everybody who shares its address. The point counts only where its message is the newest of them all.
// `(SELECT $1::uuid)` keeps the company from the planner: of one that its statistics do not know yet it expects a single
// row, and would read all messages of a first import for each contact.
const POINTS = `
  WITH point AS MATERIALIZED (
    SELECT touch_id, recipient_id, recipient_hash, thread_id, campaign_id, channel, sequence_step, sent_at
    FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = ANY ($2::uuid[])
  ), address AS MATERIALIZED (
    SELECT recipient_hash FROM (SELECT DISTINCT recipient_hash FROM point WHERE recipient_hash IS NOT NULL) AS used
    WHERE (SELECT count(*) FROM (SELECT FROM touches
      WHERE company_id = (SELECT $1::uuid) AND touches.recipient_hash = used.recipient_hash
      LIMIT ${MAX_TOUCHES_OF_ADDRESS + 1}) AS sent) <= ${MAX_TOUCHES_OF_ADDRESS}
  )
  SELECT touch_id AS "touchId", recipient_id AS "contactId", address.recipient_hash AS "recipientHash",
    thread_id AS "threadId", campaign_id AS "campaignId", channel, sequence_step AS step, history.position,
    sent_at AS "sentAt", answered
  FROM point LEFT JOIN address USING (recipient_hash)
  CROSS JOIN LATERAL (
    SELECT bool_or(${HAS_ANSWERED}) AS answered,
      (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
      (array_agg(touch_id ORDER BY sent_at DESC, sequence_step DESC, touch_id))[1] AS newest
    FROM touches
    WHERE company_id = (SELECT $1::uuid)
      AND (recipient_id = point.recipient_id OR recipient_hash = address.recipient_hash)
  ) AS history
  WHERE history.newest = point.touch_id
  ORDER BY touch_id`;

// The days of all channels together are stated beside those of each, as the planner does not see the latter.
const MATURED_STEPS = `
  SELECT channel, position, step_bucket AS bucket, sum(touches)::int AS touches, sum(replies)::int AS replies
  FROM cohort_counts JOIN unnest($2::smallint[], $3::date[], $4::date[]) AS settled (channel, since, through)
    USING (channel)
  WHERE company_id = $1 AND touches > 0 AND sent_day BETWEEN since AND through
    AND sent_day BETWEEN $5::date AND $6::date
  GROUP BY channel, position, step_bucket ORDER BY channel, position, step_bucket`;

/** Reads contacts for decisions and writes decisions down. Nothing here can change a decision that stands. */
@Injectable()
export class DecisionRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** @returns whether the run has succeeded and its decisions are not all made */
  async isUndecided(scope: TenantScope, runId: string): Promise<boolean> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rowCount } = await client.query(
        `SELECT FROM analysis_runs
         WHERE company_id = $1 AND run_id = $2 AND state = 'succeeded' AND decisions_made_at IS NULL`,
        [companyId, runId],
      );
      return rowCount === 1;
    });
  }

  async markDecided(scope: TenantScope, runId: string, at: Date): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query('UPDATE analysis_runs SET decisions_made_at = $3 WHERE company_id = $1 AND run_id = $2', [
        companyId,
        runId,
        at,
      ]),
    );
  }

  /**
   * Messages by place in the sequence, since each channel's replies last changed: they are held against the arms of today.
   */
  async maturedSteps(scope: TenantScope, settled: readonly SettledChannel[]): Promise<StepCount[]> {
    const until = observedUntil(settled);
    if (until === undefined) return [];
    const since = settled.map(({ dataFrom }) => Math.max(dataFrom, until - HISTORY_DAYS + 1));
    const through = settled.map(({ settledThrough }) => settledThrough);
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Coded<StepCount>>(MATURED_STEPS, [
        companyId,
        settled.map(({ channel }) => channel),
        since.map(isoDay),
        through.map(isoDay),
        isoDay(Math.min(...since)),
        isoDay(Math.max(...through)),
      ]);
      return rows.map((row) => ({
        ...row,
        channel: CHANNELS[row.channel] ?? 'email',
        position: POSITIONS[row.position] ?? 'unknown',
      }));
    });
  }

  /** Messages after which a decision is due, at most MAX_CONTACTS, in batches of ids. */
  async undecided(scope: TenantScope, asOf: Date, batch: number): Promise<Iterable<string[]>> {
    const ids = await this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<{ ids: Buffer | null }>(UNDECIDED, [companyId, asOf]);
      return rows[0]?.ids ?? Buffer.alloc(0);
    });
    return batchesOf(ids, batch);
  }

  /**
   * Reads contacts and freezes what is decided about them, in one transaction that no erasure comes between.
   * @param decide - called once per contact; what stands already of its state stays as it is, and is not repeated
   * @returns how many decisions are new
   */
  async freeze(
    scope: TenantScope,
    runId: string,
    { model, body, sha256 }: StoredModel,
    touchIds: readonly string[],
    decide: (point: DecisionPoint) => FrozenRow,
  ): Promise<number> {
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      await lockTouches(transaction);
      const found = await client.query<ContactRow>(POINTS, [companyId, touchIds]);
      const contacts = found.rows.map(({ contactId }) => contactOf(contactId));
      // Nothing is asked about what is known: whoever is decided about has messages.
      const standings = await standingsOf(transaction, contacts, new Date(0));
      const rows = found.rows.map(({ answered, ...row }, place) =>
        decide({
          ...row,
          state: stateOf(standings[place], answered),
          channel: CHANNELS[row.channel] ?? 'email',
          position: POSITIONS[row.position] ?? 'unknown',
        }),
      );
      if (rows.length === 0) return 0;
      await client.query(
        `INSERT INTO decision_models (company_id, model_sha256, data_as_of, body)
         VALUES ($1, decode($2, 'hex'), $3, $4) ON CONFLICT DO NOTHING`,
        [companyId, sha256, model.data_as_of, body],
      );
      const column = <Value>(value: (row: FrozenRow) => Value) => rows.map(value);
      const inserted = await client.query(
        `INSERT INTO workflow_decisions (company_id, run_id, engine_version, model_sha256, decided_at, decision_id,
           after_touch_id, contact_state, contact_id, recipient_hash, thread_id, campaign_id, inputs, result)
         SELECT $1, $2, $3, decode($4, 'hex'), $5, made.* FROM unnest($6::uuid[], $7::uuid[], $8::text[], $9::text[],
           $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]) AS made (decision_id, touch_id, state)
         WHERE state IS DISTINCT FROM (SELECT contact_state FROM workflow_decisions
           WHERE company_id = (SELECT $1::uuid) AND after_touch_id = touch_id
           ORDER BY decided_at DESC, contact_state <> 'open' DESC LIMIT 1)
         ON CONFLICT DO NOTHING`,
        [
          companyId,
          runId,
          model.engine_version,
          sha256,
          model.data_as_of,
          column((row) => row.decisionId),
          column((row) => row.touchId),
          column((row) => row.state),
          column((row) => row.contactId),
          column((row) => row.recipientHash),
          column((row) => row.threadId),
          column((row) => row.campaignId),
          column((row) => row.inputs),
          column((row) => row.result),
        ],
      );
      return inserted.rowCount ?? 0;
    });
  }
}

function* batchesOf(packed: Buffer, batch: number): Generator<string[]> {
  for (let from = 0; from < packed.length; from += batch * UUID_BYTES) {
    yield uuidsIn(packed.subarray(from, from + batch * UUID_BYTES));
  }
}

function uuidsIn(packed: Buffer): string[] {
  return Array.from({ length: packed.length / UUID_BYTES }, (_, i) => {
    const hex = packed.toString('hex', i * UUID_BYTES, (i + 1) * UUID_BYTES);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  });
}

/** Whether a contact may be written to is said by its events; its messages only tell whether it has answered. */
function stateOf(standing: ContactStanding | undefined, answered: boolean): ContactState {
  return standing?.blockReasons[0] ?? (answered ? 'replied' : 'open');
}

/** A row as Postgres holds it: channel and position by their index. */
type Coded<Row> = Omit<Row, 'channel' | 'position' | 'state'> & {
  readonly channel: number;
  readonly position: number;
};
type ContactRow = Coded<DecisionPoint> & { readonly answered: boolean };
