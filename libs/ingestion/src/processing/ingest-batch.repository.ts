import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** A batch that failed so often is parked: it stays visible and holds up nobody. */
export const MAX_ATTEMPTS = 5;

/** Version of the fold that marks a batch processed. A batch that another version folded stays pending. */
const FOLD_VERSION = 2;

/**
 * How many events a stored batch has, by the bytes of their ids: 20 to 24 are not theirs, and they do not compress. To
 * unpack them costs more the more batches wait.
 */
export const LENGTH_BY_BYTES = '(pg_column_size(event_ids) - 20) / 16';

/** Events that were stored together and wait to be processed into touches and counts. */
export interface PendingBatch {
  readonly batchId: string;
  /** How many events. */
  readonly events: number;
}

/** What has been ingested and not processed, in all companies. */
export interface Backlog {
  readonly waiting: number;
  /** Batches that failed so often that they are tried no more. */
  readonly parked: number;
  /** Of the oldest waiting batch; undefined where none waits. */
  readonly oldestReceivedAt: Date | undefined;
}

/** A batch that is stored and not processed. */
export interface UnprocessedBatch {
  readonly companyId: string;
  readonly batchId: string;
  /** A parked one has failed five times and is tried no more. */
  readonly state: 'waiting' | 'parked';
  readonly events: number;
  readonly failedAttempts: number;
  readonly receivedAt: Date;
}

/** What ingestion announced. Postgres is the queue; Redis only speeds it up. */
@Injectable()
export class IngestBatchRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** How many batches of the company wait; parked ones do not count. */
  async countPending({ client, companyId }: TenantTransaction): Promise<number> {
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM ingest_batches
       WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts < ${MAX_ATTEMPTS}`,
      [companyId],
    );
    return rows[0]?.waiting ?? 0;
  }

  /**
   * Takes the oldest pending batches, in order of receipt, and locks them until the transaction ends: as many as stay
   * within the limits, at least one. The ids of their events stay in Postgres.
   * @param except - batches that failed just now
   */
  async takeOldest(
    { client, companyId }: TenantTransaction,
    { batches, events }: { readonly batches: number; readonly events: number },
    except: readonly string[],
  ): Promise<PendingBatch[]> {
    const { rows } = await client.query<PendingBatch>({
      // Of those that wait the size alone is read: a backlog of hundreds would be unpacked for every group.
      text: `WITH oldest AS (
          SELECT batch_id, received_at, ${LENGTH_BY_BYTES} AS events FROM ingest_batches
          WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts < ${MAX_ATTEMPTS}
            AND batch_id <> ALL($4::uuid[])
          ORDER BY received_at, batch_id LIMIT $2
        ), summed AS (
          SELECT batch_id, sum(events) OVER (ORDER BY received_at, batch_id) AS events_up_to,
            row_number() OVER (ORDER BY received_at, batch_id) AS place
          FROM oldest
        )
        SELECT batch_id AS "batchId", cardinality(event_ids) AS events FROM ingest_batches JOIN summed USING (batch_id)
        WHERE company_id = $1 AND processed_at IS NULL AND (events_up_to <= $3 OR place = 1)
        ORDER BY place FOR UPDATE OF ingest_batches SKIP LOCKED`,
      values: [companyId, batches, events, except],
    });
    return rows;
  }

  /** The ids of the events have served their purpose and go, so that a deletion leaves none behind here. */
  async markProcessed(
    { client, companyId }: TenantTransaction,
    batchIds: readonly string[],
    at: Date,
  ): Promise<void> {
    await client.query({
      text: `UPDATE ingest_batches SET processed_at = $3, event_ids = '{}', fold_version = ${FOLD_VERSION}
        WHERE company_id = $1 AND batch_id = ANY($2::uuid[])`,
      values: [companyId, batchIds, at],
    });
  }

  /** @returns how often the batch has failed now */
  async noteFailure({ client, companyId }: TenantTransaction, batchId: string): Promise<number> {
    const { rows } = await client.query<{ failed_attempts: number }>(
      `UPDATE ingest_batches SET failed_attempts = failed_attempts + 1
       WHERE company_id = $1 AND batch_id = $2 AND processed_at IS NULL RETURNING failed_attempts`,
      [companyId, batchId],
    );
    return rows[0]?.failed_attempts ?? 0;
  }

  /** Forgets batches that were processed before `before`; the newest of them stays, it says how fresh the data are. */
  async deleteProcessed({ client, companyId }: TenantTransaction, before: Date): Promise<void> {
    await client.query(
      `DELETE FROM ingest_batches WHERE company_id = $1 AND processed_at < $2
         AND received_at < (SELECT max(received_at) FROM ingest_batches
           WHERE company_id = $1 AND processed_at IS NOT NULL)`,
      [companyId, before],
    );
  }

  /** Has parked batches tried again, as if they had never failed: all, or one. @returns how many there were */
  async unpark({ client, companyId }: TenantTransaction, batchId: string | null): Promise<number> {
    const { rowCount } = await client.query(
      `UPDATE ingest_batches SET failed_attempts = 0
       WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts >= ${MAX_ATTEMPTS}
         AND ($2::uuid IS NULL OR batch_id = $2)`,
      [companyId, batchId],
    );
    return rowCount ?? 0;
  }

  /** Companies that have batches to process, the longest waiting first. Parked batches do not count. */
  async companiesWithPending(limit: number): Promise<string[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ company_id: string }>(
        `SELECT company_id FROM ingest_batches WHERE processed_at IS NULL AND failed_attempts < ${MAX_ATTEMPTS}
         GROUP BY company_id ORDER BY min(received_at) LIMIT $1`,
        [limit],
      );
      return rows.map((row) => row.company_id);
    });
  }

  /** How much waits, in all companies. */
  async backlog(): Promise<Backlog> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ waiting: number; parked: number; oldest: Date | null }>(
        `SELECT (count(*) FILTER (WHERE failed_attempts < ${MAX_ATTEMPTS}))::int AS waiting,
           (count(*) FILTER (WHERE failed_attempts >= ${MAX_ATTEMPTS}))::int AS parked,
           min(received_at) FILTER (WHERE failed_attempts < ${MAX_ATTEMPTS}) AS oldest
         FROM ingest_batches WHERE processed_at IS NULL`,
      );
      const [row] = rows;
      return {
        waiting: row?.waiting ?? 0,
        parked: row?.parked ?? 0,
        oldestReceivedAt: row?.oldest ?? undefined,
      };
    });
  }

  /**
   * Parked batches first, then those that wait, each the oldest first.
   * @param companyId - whose; everybody's where null
   */
  async unprocessed(companyId: string | null, limit: number): Promise<UnprocessedBatch[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<UnprocessedBatch>(
        `SELECT company_id AS "companyId", batch_id AS "batchId", cardinality(event_ids) AS events,
           failed_attempts AS "failedAttempts", received_at AS "receivedAt",
           CASE WHEN failed_attempts < ${MAX_ATTEMPTS} THEN 'waiting' ELSE 'parked' END AS state
         FROM ingest_batches WHERE processed_at IS NULL AND ($1::uuid IS NULL OR company_id = $1)
         ORDER BY failed_attempts < ${MAX_ATTEMPTS}, received_at LIMIT $2`,
        [companyId, limit],
      );
      return rows;
    });
  }
}
