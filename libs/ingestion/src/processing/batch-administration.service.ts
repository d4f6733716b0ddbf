import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { IngestBatchRepository, type UnprocessedBatch } from './ingest-batch.repository';

/** Most batches in one list; an operator who sees so many does not read the rest. */
const MAX_LISTED = 200;

/** What an administrator sees and does about unprocessed batches. */
@Injectable()
export class BatchAdministration {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(IngestBatchRepository) private readonly batches: IngestBatchRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Parked batches first, then those that wait, each the oldest first; 200 at most.
   * @param scope - whose; everybody's where not given
   */
  async list(scope?: TenantScope): Promise<UnprocessedBatch[]> {
    return this.batches.unprocessed(scope?.companyId ?? null, MAX_LISTED);
  }

  /**
   * Has parked batches tried again, as if they had never failed. The worker's sweep finds them within seconds.
   * @param batchId - one of them; all of the company's where not given
   * @returns how many there were
   */
  async retry(scope: TenantScope, batchId?: string, deed: Deed = BY_THE_SERVICE): Promise<number> {
    return this.database.transaction(scope, async (transaction) => {
      const retried = await this.batches.unpark(transaction, batchId ?? null);
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
