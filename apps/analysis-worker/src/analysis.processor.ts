import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { AppError } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { JOBS, parseAnalysisJob, parseDailyRun, QueueProducer, QUEUES, TAKING_OVER } from '@outcomes/queues';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import type { AbandonableWorker } from './abandonable.worker';
import { CompanyWork } from './company-work.processor';
import { WorkerMetrics } from './worker-metrics.service';

/** While Postgres is away a job waits this long and keeps its attempts. */
const UNAVAILABLE_DELAY_MS = 15_000;

/** A run is reported on about so often. */
const PROGRESS_INTERVAL_MS = 250;

/** Analyses one company, or hands out one such job for each. */
@Processor(QUEUES.analysis, TAKING_OVER)
export class AnalysisProcessor extends WorkerHost<AbandonableWorker> {
  readonly queue = QUEUES.analysis;
  readonly jobNames = [JOBS.analysis.analyse, JOBS.analysis.analyseAll];

  constructor(
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(QueueProducer) private readonly producer: QueueProducer,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async process(job: Job<unknown>, token?: string): Promise<void> {
    this.metrics.taken(this.queue, job);
    try {
      await (job.name === JOBS.analysis.analyseAll ? this.analyseAll(job.data) : this.analyse(job));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.logger.warn({ err: error }, 'an analysis is put off, because Postgres is away or busy');
      await job.moveToDelayed(this.clock.now().getTime() + UNAVAILABLE_DELAY_MS, token);
      throw new DelayedError();
    }
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.debug({ err: error }, 'analysis worker');
  }

  @OnWorkerEvent('failed')
  onFailed(_job: Job | undefined, error: Error): void {
    this.logger.warn({ err: error }, 'an analysis job failed');
  }

  private async analyse(job: Job<unknown>): Promise<void> {
    const parsed = parseAnalysisJob(job.data);
    if (!parsed || !(await this.work.analyse(parsed.companyId, parsed.runKey, this.reporting(job)))) {
      throw new UnrecoverableError('the job names no company');
    }
  }

  /** Tells Redis how far a job is, in per cent; not oftener than anybody looks, and nothing depends on it. */
  private reporting(job: Job<unknown>): (share: number) => void {
    let reportedAt = -Infinity;
    return (share) => {
      const now = this.clock.now().getTime();
      if (share < 1 && now - reportedAt < PROGRESS_INTERVAL_MS) return;
      reportedAt = now;
      job
        .updateProgress(Math.floor(share * 100))
        .catch((error: unknown) => this.logger.debug({ err: error }, 'progress was not reported'));
    };
  }

  /** One job per company and date: handing them out twice is harmless. */
  private async analyseAll(data: unknown): Promise<void> {
    const runKey = parseDailyRun(data)?.runKey ?? this.clock.now().toISOString().slice(0, 10);
    for await (const companyIds of this.companies.pages()) {
      if (!(await this.producer.requestAnalyses(companyIds, runKey))) {
        throw new AppError('SERVICE_UNAVAILABLE');
      }
    }
    this.metrics.dailyRunHandedOut();
  }
}
