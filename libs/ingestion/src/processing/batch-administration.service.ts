import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { MAX_ATTEMPTS } from './ingest-batch.repository';

/** Most batches in one list; an operator who sees so many does not read the rest. */
const MAX_LISTED = 200;

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

/** What an administrator sees and does about unprocessed batches. */
@Injectable()
export class BatchAdministration {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Parked batches first, then those that wait, each the oldest first; 200 at most.
   * @param scope - whose; everybody's where not given
   */
  async list(scope?: TenantScope): Promise<UnprocessedBatch[]> {
    return this.database.unscoped({}, async (client) => {
      const { rows } = await client.query<UnprocessedBatch>(
        `SELECT company_id AS "companyId", batch_id AS "batchId", cardinality(event_ids) AS events,
           failed_attempts AS "failedAttempts", received_at AS "receivedAt",
           CASE WHEN failed_attempts < ${MAX_ATTEMPTS} THEN 'waiting' ELSE 'parked' END AS state
         FROM ingest_batches WHERE processed_at IS NULL AND ($1::uuid IS NULL OR company_id = $1)
         ORDER BY failed_attempts < ${MAX_ATTEMPTS}, received_at LIMIT ${MAX_LISTED}`,
        [scope?.companyId ?? null],
      );
      return rows;
    });
  }

  /**
   * Has parked batches tried again, as if they had never failed. The worker's sweep finds them within seconds.
   * @param batchId - one of them; all of the company's where not given
   * @returns how many there were
   */
  async retry(scope: TenantScope, batchId?: string, deed: Deed = BY_THE_SERVICE): Promise<number> {
    return this.database.transaction(scope, async (transaction) => {
      const { rowCount } = await transaction.client.query(
        `UPDATE ingest_batches SET failed_attempts = 0
         WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts >= ${MAX_ATTEMPTS}
           AND ($2::uuid IS NULL OR batch_id = $2)`,
        [scope.companyId, batchId ?? null],
      );
      const retried = rowCount ?? 0;
      if (retried > 0)
        await recordAdministration(transaction, {
          ...deed,
          action: 'batch.retry',
          subject: batchId ?? null,
          details: { batches: retried },
          occurredAt: this.clock.now(),
        });
      return retried;
    });
  }
}
