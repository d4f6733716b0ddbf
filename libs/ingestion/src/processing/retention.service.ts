import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { FrozenDecisionRepository } from '../deletion/frozen-decision.repository';
import { HeldDeliveryRepository } from '../sources/held-delivery.repository';
import { ExpiredEvents } from '../storage/expired-events.service';
import { OutcomeEventRepository } from '../storage/outcome-event.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { IngestBatchRepository } from './ingest-batch.repository';

/** Few enough that a transaction stays short and ingestion beside it does not feel it. */
const EVENTS_PER_TRANSACTION = 500;
/**
 * Share of a company's events that a run deletes at most, and how many it always may: should the clock of Postgres itself
 * be wrong, most is there still when somebody looks. What is left is invisible, and goes with the runs of the next days.
 */
const MAX_SHARE = 0.2;
const ALWAYS = 1_000;
/** How long Postgres is left to others after a transaction, in the time that it took. Nobody waits for the end. */
const REST = 2;
/** How long a processed batch is kept, for those who ask what happened. */
const KEEP_BATCHES_MS = 30 * DAY_MS;

/** Deletes what has been kept for 24 calendar months, and all that was derived from it; of an opt-out the hash stays. */
@Injectable()
export class Retention {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(IngestBatchRepository) private readonly batches: IngestBatchRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(FrozenDecisionRepository) private readonly decisions: FrozenDecisionRepository,
    @Inject(ExpiredEvents) private readonly expired: ExpiredEvents,
    @Inject(SuppressionList) private readonly list: SuppressionList,
    @Inject(HeldDeliveryRepository) private readonly held: HeldDeliveryRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes a company's expired events in short transactions, oldest call first, up to a fifth of what is held; safe to
   * repeat and to interrupt. The list of those who must not be written to is held against what is left.
   * @returns how many events went, and whether there are more that have to wait for the next run
   */
  async expire(scope: TenantScope): Promise<{ readonly deleted: number; readonly isCapped: boolean }> {
    const now = this.clock.now();
    const cutoff = retentionCutoff(now);
    await this.list.nameAddresses(scope);
    const { deleted, isCapped } = await this.expireEvents(scope, cutoff);
    await this.list.check(scope);
    await this.database.transaction(scope, (transaction) => this.held.expire(transaction, now));
    if (isCapped) {
      this.logger.error({ companyId: scope.companyId, deleted }, 'more has expired than may go in one run');
      return { deleted, isCapped };
    }
    await this.database.transaction(scope, (transaction) => this.decisions.expire(transaction, cutoff));
    await this.database.transaction(scope, (transaction) =>
      this.batches.deleteProcessed(transaction, new Date(now.getTime() - KEEP_BATCHES_MS)),
    );
    return { deleted, isCapped };
  }

  private async expireEvents(
    scope: TenantScope,
    cutoff: Date,
  ): Promise<{ readonly deleted: number; readonly isCapped: boolean }> {
    let most = ALWAYS;
    for (let deleted = 0; ;) {
      if (deleted === ALWAYS) most = await this.mostOf(scope, deleted);
      const limit = Math.min(EVENTS_PER_TRANSACTION, most - deleted);
      if (limit === 0) return { deleted, isCapped: await this.someLeft(scope, cutoff) };
      const started = performance.now();
      const gone = await this.expireSome(scope, cutoff, limit);
      deleted += gone;
      if (gone < limit) return { deleted, isCapped: false };
      await pause(REST * (performance.now() - started));
    }
  }

  private expireSome(scope: TenantScope, cutoff: Date, limit: number): Promise<number> {
    return this.database.transaction(scope, async (transaction) => {
      await this.touches.lock(transaction);
      const ids = await this.events.expired(transaction, cutoff, limit);
      return this.expired.remove(transaction, ids, cutoff);
    });
  }

  private async someLeft(scope: TenantScope, cutoff: Date): Promise<boolean> {
    const left = await this.database.transaction(scope, (transaction) =>
      this.events.expired(transaction, cutoff, 1),
    );
    return left.length > 0;
  }

  /** @param deleted - in this run so far: they are part of what was held */
  private async mostOf(scope: TenantScope, deleted: number): Promise<number> {
    const left = await this.database.transaction(scope, (transaction) => this.events.count(transaction));
    return Math.max(ALWAYS, Math.floor((left + deleted) * MAX_SHARE));
  }
}
