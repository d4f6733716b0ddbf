import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { FrozenDecisionRepository } from '../deletion/frozen-decision.repository';
import { OutcomeEventRepository } from '../storage/outcome-event.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import { Suppressions } from '../suppressions/suppressions.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { IngestBatchRepository } from './ingest-batch.repository';

/** Few enough that a transaction stays short and ingestion beside it does not feel it. */
const EVENTS_PER_TRANSACTION = 500;
/** How long Postgres is left to others after a transaction, in the time that it took. Nobody waits for the end. */
const REST = 2;
/** How long a processed batch is kept, for those who ask what happened. */
const KEEP_BATCHES_MS = 30 * 86_400_000;

/** Deletes what has been kept for 24 calendar months, and all that was derived from it; of an opt-out the hash stays. */
@Injectable()
export class Retention {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(IngestBatchRepository) private readonly batches: IngestBatchRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(FrozenDecisionRepository) private readonly decisions: FrozenDecisionRepository,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Deletes a company's expired events in short transactions, oldest call first; safe to repeat and to interrupt.
   * @returns how many events went
   */
  async expire(scope: TenantScope): Promise<{ readonly deleted: number }> {
    const now = this.clock.now();
    const cutoff = retentionCutoff(now);
    let deleted = 0;
    for (;;) {
      const started = performance.now();
      const gone = await this.database.transaction(scope, async (transaction) => {
        await this.touches.lock(scope, transaction);
        const { client } = transaction;
        const ids = await this.events.expired(scope, client, cutoff, EVENTS_PER_TRANSACTION);
        const near = await this.suppressions.keepExpiring(scope, transaction, ids);
        const removed = await this.events.deleteByIds(scope, client, ids, cutoff);
        await this.touches.refold(scope, transaction, removed, cutoff);
        await this.decisions.forget(scope, client, removed);
        await this.suppressions.tidy(scope, transaction, near);
        return removed.total;
      });
      deleted += gone;
      if (gone < EVENTS_PER_TRANSACTION) break;
      await pause(REST * (performance.now() - started));
    }
    await this.database.transaction(scope, ({ client }) => this.decisions.expire(scope, client, cutoff));
    await this.database.transaction(scope, ({ client }) =>
      this.batches.deleteProcessed(scope, client, new Date(now.getTime() - KEEP_BATCHES_MS)),
    );
    return { deleted };
  }
}
