import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { TouchRebuild } from '@outcomes/ingestion';
import { Gauge, LOGGER, Management, type Logger } from '@outcomes/platform';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';

/** Companies per round; the next one follows. */
const COMPANIES_PER_ROUND = 100;

/**
 * Rebuilds, after an upgrade, what the version before folded: one company after the other, beside the batches. Any
 * number of workers may be at it; each company is taken by one of them at a time, and goes on where the last one stopped.
 */
@Injectable()
export class RebuildSweep {
  private readonly waiting: Gauge;
  private timer?: NodeJS.Timeout;
  private underWay: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    @Inject(TouchRebuild) private readonly rebuilds: TouchRebuild,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) { registry }: Management,
  ) {
    this.waiting = new Gauge({
      name: 'outcomes_companies_to_rebuild',
      help: 'Companies, up to 100, whose messages an earlier version folded and that are still to be rebuilt.',
      registers: [registry],
    });
  }

  start(): void {
    this.plan();
  }

  /** Starts no further transaction and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.underWay = this.round()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'companies could not be rebuilt'))
        .finally(() => this.plan());
    }, this.config.SWEEP_INTERVAL_MS);
  }

  private async round(): Promise<void> {
    const companyIds = await this.rebuilds.companies(COMPANIES_PER_ROUND);
    this.waiting.set(companyIds.length);
    for (const companyId of companyIds) {
      if (this.stopped) return;
      await this.rebuild(companyId);
    }
  }

  private async rebuild(companyId: string): Promise<void> {
    try {
      const scope = await this.companies.scopeOf(companyId);
      if (scope !== undefined) await this.rebuilds.rebuild(scope, () => this.stopped);
    } catch (error) {
      // One company's trouble is not the next one's.
      this.logger.warn({ err: error, companyId }, 'a company could not be rebuilt');
    }
  }
}
