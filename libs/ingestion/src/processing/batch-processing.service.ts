import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { AnalysisPlanRepository } from '../plans/analysis-plan.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import { Arrivals } from '../suppressions/arrivals';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { TouchFolding } from '../touches/touch-folding.service';
import {
  IngestBatchRepository,
  MAX_ATTEMPTS,
  type Backlog,
  type PendingBatch,
} from './ingest-batch.repository';

/**
 * Batches are processed together up to this many events, one transaction and one change of the counts for all of them.
 * Enough that the counts cost little; few enough that a deletion, which waits for the company's lock, has it in time.
 */
const GROUP_EVENTS = 20_000;
const GROUP_BATCHES = 2_000;

/** What was processed. */
export interface ProcessedBatches {
  readonly batches: number;
  readonly events: number;
}

const NOTHING: ProcessedBatches = { batches: 0, events: 0 };

/** A group that failed as a whole, and must be tried batch by batch. */
interface FailedGroup {
  readonly failed: readonly PendingBatch[];
}

/**
 * Works ingested batches into touches and counts: in order of receipt, one company at a time, each batch in the
 * transaction that marks it processed, hence exactly once whatever dies in between.
 */
@Injectable()
export class BatchProcessing {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(IngestBatchRepository) private readonly batches: IngestBatchRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(SuppressionList) private readonly suppressions: SuppressionList,
    @Inject(AnalysisPlanRepository) private readonly plans: AnalysisPlanRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Works in all that is pending when it is called, and not what keeps arriving meanwhile: a run that waited for a
   * busy company to pause would never end. Any number of callers may do so at the same time: they take turns.
   * A batch that fails is left for the next call, and parked after five failures; the others go on.
   * @throws AppError SERVICE_UNAVAILABLE where Postgres is away; nothing is lost, the next call goes on
   */
  async processPending(scope: TenantScope): Promise<ProcessedBatches> {
    const failed: string[] = [];
    let total = NOTHING;
    let limit = GROUP_BATCHES;
    const waiting = await this.database.transaction(scope, (transaction) =>
      this.batches.countPending(transaction),
    );
    if (waiting > 0) await this.suppressions.make(scope);
    while (total.batches + failed.length < waiting) {
      const outcome = await this.processGroup(scope, limit, failed);
      if ('failed' in outcome) {
        limit = 1;
        const [batch] = outcome.failed;
        if (batch && outcome.failed.length === 1) {
          failed.push(batch.batchId);
          await this.noteFailure(scope, batch);
        }
      } else if (outcome.batches === 0) return total;
      else total = { batches: total.batches + outcome.batches, events: total.events + outcome.events };
    }
    return total;
  }

  /** Companies that have batches to process, the longest waiting first. Parked batches do not count. */
  async companiesWithPending(limit: number): Promise<string[]> {
    return this.batches.companiesWithPending(limit);
  }

  /** How much waits, in all companies. */
  async backlog(): Promise<Backlog> {
    return this.batches.backlog();
  }

  private async processGroup(
    scope: TenantScope,
    limit: number,
    except: readonly string[],
  ): Promise<ProcessedBatches | FailedGroup> {
    let group: readonly PendingBatch[] = [];
    try {
      return await this.database.transaction(scope, async (transaction) => {
        await this.touches.lock(transaction);
        const limits = { batches: limit, events: GROUP_EVENTS };
        group = await this.batches.takeOldest(transaction, limits, except);
        return group.length === 0 ? NOTHING : this.workIn(transaction, group);
      });
    } catch (error) {
      if (group.length === 0 || (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE'))
        throw error;
      const batchIds = group.map((batch) => batch.batchId);
      this.logger.error(
        { companyId: scope.companyId, batchIds, err: error },
        'batches could not be processed',
      );
      return { failed: group };
    }
  }

  private async workIn(
    transaction: TenantTransaction,
    group: readonly PendingBatch[],
  ): Promise<ProcessedBatches> {
    const now = this.clock.now();
    const cutoff = retentionCutoff(now);
    const batchIds = group.map((batch) => batch.batchId);
    const arrivals = new Arrivals();
    const follow = () => this.suppressions.follow(transaction, arrivals);
    await this.touches.foldArrived(transaction, batchIds, cutoff, { arrivals, follow });
    const events = group.reduce((sum, batch) => sum + batch.events, 0);
    const newest = group.at(-1);
    if (newest) await this.plans.noteCounted(transaction, newest, events);
    await this.batches.markProcessed(transaction, batchIds, now);
    return { batches: group.length, events };
  }

  private async noteFailure(scope: TenantScope, { batchId }: PendingBatch): Promise<void> {
    const attempts = await this.database.transaction(scope, (transaction) =>
      this.batches.noteFailure(transaction, batchId),
    );
    if (attempts >= MAX_ATTEMPTS) {
      this.logger.error({ companyId: scope.companyId, batchId, attempts }, 'a batch is parked');
      // Its opt-outs hold from the moment they were taken in: whoever follows the list is told as well.
      await this.suppressions.check(scope);
    }
  }
}
