import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { AuditSealing, type SealHorizon, type HorizonNote } from '@outcomes/audit';
import { LOGGER, type Logger } from '@outcomes/platform';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';
import { WorkerMetrics } from './worker-metrics.service';

/**
 * Seals the audit log once a minute, up to where it stood the minute before. After a start all companies are looked
 * at, for nobody knows what was left; then only those with rows since the last time. It needs no Redis, and any
 * number of workers may do it at once.
 */
@Injectable()
export class AuditSeals {
  private readonly stopping = new AbortController();
  /** Companies that could not be sealed; tried again every time. */
  private readonly behind = new Set<string>();
  private timer?: NodeJS.Timeout;
  private underWay: Promise<void> = Promise.resolve();
  private noted?: HorizonNote;
  private sealedTo?: SealHorizon;

  constructor(
    @Inject(AuditSealing) private readonly sealing: AuditSealing,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Notes where the log stands, and goes on from there every interval. */
  start(): void {
    this.go();
  }

  /** Starts no further seal and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.underWay;
  }

  private go(): void {
    this.underWay = this.round()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'the audit log could not be sealed'))
      .finally(() => this.plan());
  }

  private plan(): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => this.go(), this.config.AUDIT_SEAL_INTERVAL_MS);
  }

  private async round(): Promise<void> {
    if (this.noted !== undefined) {
      const horizon = await this.sealing.settle(this.noted);
      // A row from before the note may still be on its way: the same note serves the next time.
      if (horizon === undefined || !(await this.sealUpTo(horizon))) return;
      this.sealedTo = horizon;
    }
    this.noted = await this.sealing.note();
  }

  /** @returns whether every company had its turn */
  private async sealUpTo(horizon: SealHorizon): Promise<boolean> {
    for await (const companyIds of this.pages(horizon)) {
      for (const companyId of companyIds) {
        if (this.stopping.signal.aborted) return false;
        await this.sealCompany(companyId, horizon);
      }
    }
    return true;
  }

  private async *pages(horizon: SealHorizon): AsyncGenerator<readonly string[]> {
    if (this.sealedTo === undefined) {
      yield* this.companies.pages();
      return;
    }
    yield [...this.behind];
    yield await this.sealing.companiesBetween(this.sealedTo, horizon);
  }

  private async sealCompany(companyId: string, horizon: SealHorizon): Promise<void> {
    try {
      const scope = await this.companies.scopeOf(companyId);
      if (scope !== undefined) {
        const { rows } = await this.sealing.seal(scope, horizon, this.stopping.signal);
        this.metrics.sealed(rows);
      }
      this.behind.delete(companyId);
    } catch (error) {
      // One company's trouble is not the next one's.
      this.behind.add(companyId);
      this.logger.warn({ err: error }, 'the audit rows of a company could not be sealed');
    }
  }
}
