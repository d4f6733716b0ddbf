import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import { LENGTH_BY_BYTES, MAX_ATTEMPTS } from '../processing/ingest-batch.repository';

/** What is stored and not counted. */
export interface Waiting {
  readonly batches: number;
  readonly events: number;
  /** Batches that failed five times. */
  readonly parked: number;
  /** Events whose message is not known yet. */
  readonly unsent: number;
  readonly isRebuilding: boolean;
  /** When an analysis was asked for that has not come. */
  readonly requestedAt: Date | null;
}

/** A batch as it was taken in. */
export interface StoredBatch {
  readonly batchId: string;
  readonly receivedAt: Date;
  /** null once they have been counted: their ids are not kept then. */
  readonly events: number | null;
  readonly processedAt: Date | null;
  readonly failedAttempts: number;
  /** Batches that there are. */
  readonly total: number;
}

/** What was counted and what is planned. */
export interface Planned {
  readonly countedAt: Date | null;
  readonly unanalysedSince: Date | null;
  readonly isFirstDay: boolean;
  /** Of the next analysis for what was counted. */
  readonly nextAt: Date | null;
  /** Asked for and not begun. */
  readonly isAsked: boolean;
}

export interface NewestRun {
  readonly run_id: string;
  readonly state: 'running' | 'succeeded' | 'failed';
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly data_as_of: Date;
}

export interface NewestEvent {
  readonly outcome_at: Date | null;
  readonly ingested_at: Date;
}

const PENDING = `FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL`;
const IN_TURN = `failed_attempts < ${MAX_ATTEMPTS}`;

/** Where a company's events stand, from stored batches to the newest run. Each statement reads a few rows by key. */
@Injectable()
export class IngestStatusRepository {
  async waiting({ client, companyId }: TenantTransaction): Promise<Waiting> {
    const { rows } = await client.query<Waiting>(
      `SELECT (SELECT count(*)::int ${PENDING} AND ${IN_TURN}) AS batches,
         (SELECT coalesce(sum(${LENGTH_BY_BYTES}), 0)::int ${PENDING} AND ${IN_TURN}) AS events,
         (SELECT count(*)::int ${PENDING} AND NOT ${IN_TURN}) AS parked,
         (SELECT count(*)::int FROM outcome_events
           WHERE company_id = $1 AND sent_at IS NULL AND touch_id IS NULL) AS unsent,
         EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1) AS "isRebuilding",
         (SELECT requested_at FROM reanalysis_requests WHERE company_id = $1) AS "requestedAt"`,
      [companyId],
    );
    return rows[0] as Waiting;
  }

  /** @returns undefined where nothing was ever counted or analysed */
  async planned({ client, companyId }: TenantTransaction): Promise<Planned | undefined> {
    const { rows } = await client.query<Planned>(
      `SELECT counted_at AS "countedAt", unanalysed_since AS "unanalysedSince", daily_since IS NULL AS "isFirstDay",
         next_at IS NOT NULL AND asked_at > coalesce(begun_at, '-infinity') AS "isAsked",
         CASE WHEN next_at IS NOT NULL AND asked_at > counted_at THEN asked_at ELSE next_at END AS "nextAt"
       FROM analysis_plans WHERE company_id = $1`,
      [companyId],
    );
    return rows[0];
  }

  /** The newest batches and how many there are; the ids in them are counted of those that are listed only. */
  async newestBatches({ client, companyId }: TenantTransaction, limit: number): Promise<StoredBatch[]> {
    const { rows } = await client.query<StoredBatch>(
      `SELECT batch_id AS "batchId", received_at AS "receivedAt",
         CASE WHEN processed_at IS NULL THEN cardinality(event_ids) END AS events,
         processed_at AS "processedAt", failed_attempts AS "failedAttempts", total
       FROM (SELECT *, count(*) OVER ()::int AS total FROM ingest_batches WHERE company_id = $1
         ORDER BY received_at DESC, batch_id LIMIT $2) AS newest
       ORDER BY received_at DESC, batch_id`,
      [companyId, limit],
    );
    return rows;
  }

  /** The newest run; one that has not made its decisions yet is still running. */
  async newestRun({ client, companyId }: TenantTransaction): Promise<NewestRun | undefined> {
    const { rows } = await client.query<NewestRun>(
      `SELECT run_id, started_at, finished_at, data_as_of,
         CASE WHEN state = 'succeeded' AND decisions_made_at IS NULL THEN 'running' ELSE state END AS state
       FROM analysis_runs WHERE company_id = $1 ORDER BY begun_at DESC NULLS LAST, started_at DESC LIMIT 1`,
      [companyId],
    );
    return rows[0];
  }

  /** The newest of the events that came last: of a batch that waits, by its ids; of a counted one, as it was noted. */
  async newestEvent({ client, companyId }: TenantTransaction): Promise<NewestEvent | undefined> {
    const { rows } = await client.query<NewestEvent>(
      `SELECT received_at AS ingested_at, (SELECT max(outcome_at) FROM outcome_events
           WHERE company_id = $1 AND event_id = ANY (newest.event_ids)) AS outcome_at
       FROM (SELECT received_at, event_ids ${PENDING} ORDER BY received_at DESC LIMIT 1) AS newest
       UNION ALL
       SELECT newest_received_at, newest_outcome_at FROM analysis_plans
       WHERE company_id = $1 AND newest_received_at IS NOT NULL
       ORDER BY ingested_at DESC LIMIT 1`,
      [companyId],
    );
    return rows[0];
  }
}
