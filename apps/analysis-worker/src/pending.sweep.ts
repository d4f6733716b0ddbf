import { Inject, Injectable } from '@nestjs/common';
import { AnalysisPlans, BatchProcessing } from '@outcomes/ingestion';
import { LOGGER, Rounds, type Logger } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';
import { CompanyWork } from './company-work.processor';
import { PlannedAnalyses } from './planned-analyses.sweep';
import { ReanalysisSweep } from './reanalysis.sweep';
import { WorkerMetrics } from './worker-metrics.service';

/** Companies per sweep; the next one comes in a second. */
const COMPANIES_PER_SWEEP = 100;
/** A company that is still pending after so many nudges is processed here: the queue is not doing it. */
const PATIENCE_SWEEPS = 10;
/** A daily run is a day after the last one, and takes its time. */
const OVERDUE_HOURS = 26;
/** Sweeps between counts of the companies that it left out. */
const SWEEPS_PER_OVERDUE_COUNT = 60;
/** Sweeps between looks at the daily schedule. */
const SWEEPS_PER_SCHEDULE_CHECK = 30;

/**
 * Looks into Postgres for batches that nobody was told of. While Redis works, a nudge is enough; while it does not,
 * the sweep does the work itself. So a lost message or a dead Redis delays and loses nothing. It also looks for
 * analyses that were asked for or that follow what was counted, and puts the daily schedule back where Redis has
 * lost it.
 */
@Injectable()
export class PendingSweep {
  private readonly nudges = new Map<string, number>();
  private readonly rounds: Rounds;
  private sweeps = 0;

  constructor(
    @Inject(BatchProcessing) private readonly batches: BatchProcessing,
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(QueueProducer) private readonly producer: QueueProducer,
    @Inject(ReanalysisSweep) private readonly reanalyses: ReanalysisSweep,
    @Inject(AnalysisPlans) private readonly plans: AnalysisPlans,
    @Inject(PlannedAnalyses) private readonly planned: PlannedAnalyses,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.rounds = new Rounds({
      pauseMs: config.SWEEP_INTERVAL_MS,
      work: (stopping) => this.sweep(stopping),
      onError: (error) => this.logger.warn({ err: error }, 'a sweep failed'),
    });
  }

  start(): void {
    this.rounds.startLater();
  }

  /** Starts no further work and waits for the company under way. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async sweep(stopping: AbortSignal): Promise<void> {
    const sweep = this.sweeps++;
    if (sweep % SWEEPS_PER_SCHEDULE_CHECK === 0) await this.keepSchedule();
    if (sweep % SWEEPS_PER_OVERDUE_COUNT === 0) this.metrics.overdue(await this.plans.overdue(OVERDUE_HOURS));
    this.metrics.waiting(await this.batches.backlog());
    const pending = await this.batches.companiesWithPending(COMPANIES_PER_SWEEP);
    for (const companyId of this.nudges.keys()) {
      if (!pending.includes(companyId)) this.nudges.delete(companyId);
    }
    for (const companyId of pending) {
      if (stopping.aborted) return;
      await this.handle(companyId);
    }
    await this.reanalyses.sweep(() => stopping.aborted);
    await this.planned.sweep(() => stopping.aborted);
  }

  private async handle(companyId: string): Promise<void> {
    const nudges = this.nudges.get(companyId) ?? 0;
    if (nudges < PATIENCE_SWEEPS && (await this.producer.nudgeBatches(companyId))) {
      this.nudges.set(companyId, nudges + 1);
      this.metrics.swept('nudged');
      return;
    }
    this.nudges.delete(companyId);
    try {
      await this.work.processBatches(companyId);
      this.metrics.swept('processed');
    } catch (error) {
      // One company's trouble is not the next one's.
      this.logger.warn({ err: error }, 'the sweep could not process a company');
    }
  }

  private async keepSchedule(): Promise<void> {
    const missed = await this.producer.ensureDailySchedule(this.config.DAILY_ANALYSIS_CRON);
    if (missed !== undefined) await this.producer.requestDailyRun(missed.toISOString().slice(0, 10));
  }
}
