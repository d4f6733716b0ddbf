import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { MAX_ATTEMPTS, type PendingBatch } from '../processing/ingest-batch.repository';

/** So long nothing must be counted before an analysis: the next request of an import is on its way meanwhile. */
const QUIET = `interval '5 seconds'`;
/** A stream that never pauses so long is analysed all the same, so long after the first event that no run has. */
const LATEST = `interval '5 minutes'`;
/** Between two analyses of a company, and before one that was asked for and has not come is asked for again. */
const PAUSE = `interval '1 minute'`;
/** While batches are still being counted, it is looked again after this. */
const NEXT_LOOK = `interval '1 second'`;
/** Past the first day, the messages must have grown by one part in so many. */
const GROWTH_PART = 10;
/** Between two analyses that callers ask for. */
const REQUEST_PAUSE = `interval '5 minutes'`;

/** A time with an interval added. On its own the sum depends on settings, which Citus refuses where a row is updated. */
const later = (time: string, interval: string) =>
  `((${time}) AT TIME ZONE 'UTC' + ${interval}) AT TIME ZONE 'UTC'`;

/** A plan that is due, locked until the transaction ends. */
export interface DuePlan {
  readonly revision: string;
  /** No daily run has had any data yet. */
  readonly isFirstDay: boolean;
  /** In the newest run; null where that is not known. */
  readonly messages: number | null;
  /** Whether batches wait, or stored history is being rebuilt. */
  readonly isCounting: boolean;
  /** Whether it has waited long enough, whatever is still being counted. */
  readonly isLate: boolean;
}

/** What was counted and is in no analysis yet, one row per company. All times are those of the database. */
@Injectable()
export class AnalysisPlanRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Companies that are to be looked at now, the longest due first. */
  async due(limit: number): Promise<string[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ company_id: string }>(
        `SELECT company_id FROM analysis_plans WHERE next_at <= clock_timestamp() ORDER BY next_at LIMIT $1`,
        [limit],
      );
      return rows.map((row) => row.company_id);
    });
  }

  /** How many companies have had no finished analysis for so long, or since they were made. */
  async overdue(hours: number): Promise<number> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ overdue: number }>(
        `SELECT count(*)::int AS overdue FROM companies LEFT JOIN analysis_plans AS plan USING (company_id)
         WHERE coalesce(plan.analysed_at, companies.created_at) < clock_timestamp() - $1 * interval '1 hour'`,
        [hours],
      );
      return rows[0]?.overdue ?? 0;
    });
  }

  /**
   * Notes, in the transaction that counts them, that batches were counted: an analysis follows when it is quiet.
   * @param newest - the one of them that was received last; it still holds the ids of its events
   * @param events - in all of them
   */
  async noteCounted(
    { client, companyId }: TenantTransaction,
    newest: PendingBatch,
    events: number,
  ): Promise<void> {
    const { rows } = await client.query<{ received: Date | null; outcome: Date | null }>(
      // One look-up per event, as stored-event.repository.ts explains.
      `SELECT received_at AS received, (
         SELECT max(outcome_at) FROM unnest(event_ids) AS wanted (id) CROSS JOIN LATERAL (
           SELECT outcome_at FROM outcome_events
           WHERE company_id = (SELECT $1::uuid) AND event_id = wanted.id OFFSET 0
         ) AS found
       ) AS outcome
       FROM ingest_batches WHERE company_id = $1 AND batch_id = $2`,
      [companyId, newest.batchId],
    );
    await client.query(
      `INSERT INTO analysis_plans AS plan (company_id, revision, counted_at, newest_received_at, newest_outcome_at,
         unanalysed_since, growth_at_most, next_at)
       VALUES ($1, 1, clock_timestamp(), $2, $3, clock_timestamp(), $4, clock_timestamp() + ${QUIET})
       ON CONFLICT (company_id) DO UPDATE SET revision = plan.revision + 1, counted_at = excluded.counted_at,
         newest_received_at = greatest(plan.newest_received_at, excluded.newest_received_at),
         newest_outcome_at = CASE WHEN plan.newest_received_at > excluded.newest_received_at
           THEN plan.newest_outcome_at ELSE excluded.newest_outcome_at END,
         unanalysed_since = coalesce(plan.unanalysed_since, excluded.counted_at),
         growth_at_most = plan.growth_at_most + excluded.growth_at_most,
         next_at = CASE WHEN plan.daily_since IS NULL OR plan.messages IS NULL
             OR (plan.growth_at_most::bigint + excluded.growth_at_most) * ${GROWTH_PART} >= plan.messages
           THEN greatest(
             least(excluded.next_at, ${later('coalesce(plan.unanalysed_since, excluded.counted_at)', LATEST)}),
             -- A run that had nothing to read was no trouble to anybody.
             ${later('greatest(plan.asked_at, CASE WHEN plan.messages = 0 THEN NULL ELSE plan.begun_at END)', PAUSE)}) END`,
      [companyId, rows[0]?.received ?? null, rows[0]?.outcome ?? null, events],
    );
  }

  /** @returns the plan where it is due and nobody else has it in hand */
  async takeDue({ client, companyId }: TenantTransaction): Promise<DuePlan | undefined> {
    const { rows } = await client.query<DuePlan>(
      `SELECT revision, daily_since IS NULL AS "isFirstDay", messages,
         clock_timestamp() >= unanalysed_since + ${LATEST} AS "isLate",
         EXISTS (SELECT FROM ingest_batches
           WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts < ${MAX_ATTEMPTS})
         OR EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1) AS "isCounting"
       FROM analysis_plans WHERE company_id = $1 AND next_at <= clock_timestamp() FOR UPDATE SKIP LOCKED`,
      [companyId],
    );
    return rows[0];
  }

  async lookAgain({ client, companyId }: TenantTransaction): Promise<void> {
    await client.query(
      `UPDATE analysis_plans SET next_at = statement_timestamp() + ${NEXT_LOOK} WHERE company_id = $1`,
      [companyId],
    );
  }

  /** Notes that the analysis is asked for; where it does not come, it is due again in a minute. */
  async noteAsked({ client, companyId }: TenantTransaction): Promise<void> {
    await client.query(
      `UPDATE analysis_plans SET asked_at = statement_timestamp(), next_at = statement_timestamp() + ${PAUSE}
       WHERE company_id = $1`,
      [companyId],
    );
  }

  /**
   * Counts the messages, and takes the plan away where they have not grown by a tenth since the newest run.
   * @param messages - in the newest run; where that is not known, growth is counted from now on
   */
  async hasGrown({ client, companyId }: TenantTransaction, messages: number | null): Promise<boolean> {
    const { rows } = await client.query<{ messages: number }>(
      'SELECT coalesce(sum(touches), 0)::int AS messages FROM cohort_counts WHERE company_id = $1',
      [companyId],
    );
    const now = rows[0]?.messages ?? 0;
    const growth = Math.max(0, now - (messages ?? now));
    if (growth > 0 && growth * GROWTH_PART >= (messages ?? now)) return true;
    await client.query(
      `UPDATE analysis_plans SET next_at = NULL, growth_at_most = $2, messages = $3 WHERE company_id = $1`,
      [companyId, growth, messages ?? now],
    );
    return false;
  }

  /** @returns whether anything was counted that no run has read */
  async isOpen({ client, companyId }: TenantTransaction): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT FROM analysis_plans WHERE company_id = $1 AND unanalysed_since IS NOT NULL',
      [companyId],
    );
    return rowCount === 1;
  }

  /**
   * Notes that a caller asks for an analysis, where none has within five minutes.
   * @returns seconds until one may ask again; 0 where this one may
   */
  async noteRequested({ client, companyId }: TenantTransaction): Promise<number> {
    const noted = await client.query(
      `INSERT INTO analysis_plans AS plan (company_id, requested_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (company_id) DO UPDATE SET requested_at = excluded.requested_at
       WHERE plan.requested_at IS NULL OR ${later('plan.requested_at', REQUEST_PAUSE)} <= excluded.requested_at`,
      [companyId],
    );
    if (noted.rowCount === 1) return 0;
    const { rows } = await client.query<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM requested_at + ${REQUEST_PAUSE} - clock_timestamp()))::int AS seconds
       FROM analysis_plans WHERE company_id = $1`,
      [companyId],
    );
    return Math.max(1, rows[0]?.seconds ?? 1);
  }
}
