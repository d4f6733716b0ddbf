import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { LOGGER, type Logger } from '@outcomes/platform';
import { JOBS, parseBatchesJob, QUEUES, TAKING_OVER } from '@outcomes/queues';
import { UnrecoverableError, type Job } from 'bullmq';
import type { AbandonableWorker } from './abandonable.worker';
import { CompanyWork } from './company-work.processor';
import { WorkerMetrics } from './worker-metrics.service';

/** Works in the batches of the company that a message names. A lost message is no loss: see the sweep. */
@Processor(QUEUES.batches, TAKING_OVER)
export class BatchesProcessor extends WorkerHost<AbandonableWorker> {
  readonly queue = QUEUES.batches;
  readonly jobNames = [JOBS.batches.process];

  constructor(
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async process(job: Job<unknown>): Promise<void> {
    this.metrics.taken(this.queue, job);
    const parsed = parseBatchesJob(job.data);
    if (!parsed || !(await this.work.processBatches(parsed.companyId))) {
      throw new UnrecoverableError('the job names no company');
    }
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.debug({ err: error }, 'batches worker');
  }

  @OnWorkerEvent('failed')
  onFailed(_job: Job | undefined, error: Error): void {
    this.logger.warn({ err: error }, 'batches were not processed');
  }
}
