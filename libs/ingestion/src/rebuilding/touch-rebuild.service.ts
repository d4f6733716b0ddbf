import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { ReanalysisRequestRepository } from '../deletion/reanalysis-request.repository';
import { ReanalysisRequests } from '../deletion/reanalysis-requests.service';
import { retentionCutoff } from '../storage/retention-cutoff';
import { TouchFolding } from '../touches/touch-folding.service';
import { TouchRebuildRepository } from './touch-rebuild.repository';

/** Few enough that a transaction stays short, and that batches and deletions beside it do not feel it. */
const EVENTS_PER_TRANSACTION = 2_000;
/** How long Postgres is left to others after a transaction, in the time that it took. */
const REST = 0.5;

/**
 * Folds everything that an earlier version stored once more, by the present rules: company by company, some recipients
 * at a time, each in a transaction that also notes how far it has come. Whatever dies in between, the next call goes on
 * there. Counts are right for what has been folded at every moment, and services of either version keep serving.
 */
@Injectable()
export class TouchRebuild {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(TouchRebuildRepository) private readonly rebuilds: TouchRebuildRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
    @Inject(ReanalysisRequests) private readonly reanalysis: ReanalysisRequests,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Companies whose touches are to be rebuilt, the longest waiting first. */
  companies(limit: number): Promise<string[]> {
    return this.rebuilds.companies(limit);
  }

  /**
   * Rebuilds a company, or what is left of it. Afterwards it is analysed.
   * @param isStopped - asked between transactions
   * @returns whether it is rebuilt; false where it was stopped, or another process is at it
   */
  async rebuild(scope: TenantScope, isStopped: () => boolean = () => false): Promise<boolean> {
    while (!isStopped()) {
      const started = performance.now();
      const step = await this.database.transaction(scope, (transaction) => this.step(transaction));
      if (step === 'taken') return false;
      if (step !== 'more') {
        if (step.runKey !== null) this.reanalysis.request(scope.companyId, step.runKey);
        this.logger.info({ companyId: scope.companyId }, 'the touches of a company were rebuilt');
        return true;
      }
      await pause(REST * (performance.now() - started));
    }
    return false;
  }

  private async step(
    transaction: TenantTransaction,
  ): Promise<'more' | 'taken' | { readonly runKey: string | null }> {
    // In this order, as whoever makes counts void holds the lock when it asks for a rebuild.
    await this.touches.lock(transaction);
    const after = await this.rebuilds.take(transaction);
    if (after === undefined) return 'taken';
    if (after === '') await this.rebuilds.begin(transaction);
    const recipients = await this.rebuilds.recipientsAfter(transaction, after, EVENTS_PER_TRANSACTION);
    const last = recipients.at(-1);
    if (last !== undefined) {
      await this.touches.rebuild(transaction, recipients, retentionCutoff(this.clock.now()));
      await this.rebuilds.advance(transaction, last);
      return 'more';
    }
    await this.rebuilds.finish(transaction);
    // A company without events has nothing to analyse.
    return { runKey: after === '' ? null : await this.requests.note(transaction, 'requested') };
  }
}
