import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { AuditSealing, INSTALLATION, type SealHorizon, type HorizonNote } from '@outcomes/audit';
import { LOGGER, Rounds, type Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';
import { WorkerMetrics } from './worker-metrics.service';

/**
 * Seals the audit log once a minute, up to where it stood the minute before. After a start all companies are looked
 * at, for nobody knows what was left; then only those with rows since the last time. Calls for no tenant are sealed
 * alike, as the installation's. It needs no Redis, and any number of workers may do it at once.
 */
@Injectable()
export class AuditSeals {
  /** Companies that could not be sealed; tried again every time. */
  private readonly behind = new Set<string>();
  private readonly rounds: Rounds;
  private noted?: HorizonNote;
  private sealedTo?: SealHorizon;

  constructor(
    @Inject(AuditSealing) private readonly sealing: AuditSealing,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(WORKER_CONFIG) config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.rounds = new Rounds({
      pauseMs: config.AUDIT_SEAL_INTERVAL_MS,
      work: (stopping) => this.round(stopping),
      onError: (error) => this.logger.warn({ err: error }, 'the audit log could not be sealed'),
    });
  }

  /** Notes where the log stands, and goes on from there every interval. */
  start(): void {
    this.rounds.start();
  }

  /** Starts no further seal and waits for the one under way. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(stopping: AbortSignal): Promise<void> {
    if (this.noted !== undefined) {
      const horizon = await this.sealing.settle(this.noted);
      // A row from before the note may still be on its way: the same note serves the next time.
      if (horizon === undefined || !(await this.sealUpTo(horizon, stopping))) return;
      this.sealedTo = horizon;
    }
    this.noted = await this.sealing.note();
  }

  /** @returns whether every company had its turn */
  private async sealUpTo(horizon: SealHorizon, stopping: AbortSignal): Promise<boolean> {
    for await (const companyIds of this.pages(horizon)) {
      for (const companyId of companyIds) {
        if (stopping.aborted) return false;
        await this.sealCompany(companyId, horizon, stopping);
      }
    }
    return true;
  }

  private async *pages(horizon: SealHorizon): AsyncGenerator<readonly string[]> {
    if (this.sealedTo === undefined) {
      yield [INSTALLATION];
      yield* this.companies.pages();
      return;
    }
    yield [...this.behind];
    yield await this.sealing.companiesBetween(this.sealedTo, horizon);
  }

  private async sealCompany(companyId: string, horizon: SealHorizon, stopping: AbortSignal): Promise<void> {
    try {
      const scope = await this.scopeOf(companyId);
      if (scope !== undefined) {
        const { rows } = await this.sealing.seal(scope, horizon, stopping);
        this.metrics.sealed(rows);
      }
      this.behind.delete(companyId);
    } catch (error) {
      // One company's trouble is not the next one's.
      this.behind.add(companyId);
      this.logger.warn({ err: error }, 'the audit rows of a company could not be sealed');
    }
  }

  /** The installation is no company that could be found. */
  private async scopeOf(companyId: string): Promise<TenantScope | undefined> {
    return companyId === INSTALLATION
      ? this.companies.installationScope()
      : this.companies.scopeOf(companyId);
  }
}
