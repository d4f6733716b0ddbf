import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { TouchRebuild } from '@outcomes/ingestion';
import { Gauge, LOGGER, Management, Rounds, type Logger } from '@outcomes/platform';
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
  private readonly rounds: Rounds;

  constructor(
    @Inject(TouchRebuild) private readonly rebuilds: TouchRebuild,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WORKER_CONFIG) config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) { registry }: Management,
  ) {
    this.waiting = new Gauge({
      name: 'outcomes_companies_to_rebuild',
      help: 'Companies, up to 100, whose messages an earlier version folded and that are still to be rebuilt.',
      registers: [registry],
    });
    this.rounds = new Rounds({
      pauseMs: config.SWEEP_INTERVAL_MS,
      work: (stopping) => this.round(stopping),
      onError: (error) => this.logger.warn({ err: error }, 'companies could not be rebuilt'),
    });
  }

  start(): void {
    this.rounds.startLater();
  }

  /** Starts no further transaction and waits for the one under way. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(stopping: AbortSignal): Promise<void> {
    const companyIds = await this.rebuilds.companies(COMPANIES_PER_ROUND);
    this.waiting.set(companyIds.length);
    for (const companyId of companyIds) {
      if (stopping.aborted) return;
      await this.rebuild(companyId, stopping);
    }
  }

  private async rebuild(companyId: string, stopping: AbortSignal): Promise<void> {
    try {
      const scope = await this.companies.scopeOf(companyId);
      if (scope !== undefined) await this.rebuilds.rebuild(scope, () => stopping.aborted);
    } catch (error) {
      // One company's trouble is not the next one's.
      this.logger.warn({ err: error, companyId }, 'a company could not be rebuilt');
    }
  }
}
