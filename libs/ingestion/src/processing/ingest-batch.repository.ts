import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';

/** A batch that failed so often is parked: it stays visible and holds up nobody. */
export const MAX_ATTEMPTS = 5;

/** Version of the fold that marks a batch processed. A batch that another version folded stays pending. */
const FOLD_VERSION = 2;

/**
 * How many events a stored batch has, by the bytes of their ids: 20 to 24 are not theirs, and they do not compress. To
 * unpack them costs more the more batches wait.
 */
export const LENGTH_BY_BYTES = '(pg_column_size(event_ids) - 20) / 16';

/** Events that were stored together and wait to be worked into touches and counts. */
export interface PendingBatch {
  readonly batchId: string;
  /** How many events. */
  readonly events: number;
}

/** What ingestion announced. Postgres is the queue; Redis only hastens it. */
@Injectable()
export class IngestBatchRepository {
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

  /** Forgets batches that were processed before `before`; the newest stays, it says how fresh the data are. */
  async deleteProcessed({ client, companyId }: TenantTransaction, before: Date): Promise<void> {
    await client.query(
      `DELETE FROM ingest_batches WHERE company_id = $1 AND processed_at < $2
         AND received_at < (SELECT max(received_at) FROM ingest_batches WHERE company_id = $1)`,
      [companyId, before],
    );
  }
}
