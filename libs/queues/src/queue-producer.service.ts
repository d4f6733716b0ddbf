import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, SERVICE_CONFIG, type Logger, type ServiceConfig } from '@outcomes/platform';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { producerConnection } from './queue-connection';
import { QUEUES, type AnalysisJob, type BatchesJob } from './queue-names';

/** Adds jobs. Redis is allowed to be away: the worker finds its work in Postgres in any case. */
@Injectable()
export class QueueProducer implements OnApplicationShutdown {
  private readonly connection: Redis;
  private readonly batches: Queue<BatchesJob>;
  private readonly analysis: Queue<AnalysisJob>;

  constructor(
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const onError = (error: Error) => logger.debug({ err: error }, 'queue connection');
    this.connection = producerConnection(config.REDIS_URL, onError);
    const options = {
      connection: this.connection,
      prefix: config.REDIS_PREFIX,
      defaultJobOptions: {
        removeOnComplete: true,
        removeOnFail: { age: 7 * 86_400, count: 1_000 },
        attempts: 5,
        backoff: { type: 'exponential', delay: 1_000 },
      },
    };
    this.batches = new Queue(QUEUES.batches, options);
    this.analysis = new Queue(QUEUES.analysis, options);
    for (const queue of [this.batches, this.analysis]) queue.on('error', onError);
  }

  /**
   * Tells the worker that a company has batches. Nudges of one company that pile up become one.
   * @returns whether Redis took it; false is no failure, the worker's sweep comes anyway
   */
  async nudgeBatches(companyId: string): Promise<boolean> {
    return this.attempt(() =>
      this.batches.add('process', { companyId }, { deduplication: { id: `batches.${companyId}` } }),
    );
  }

  /** Asks for an analysis. The same run key while one waits or runs is one job. */
  async requestAnalysis(job: AnalysisJob): Promise<boolean> {
    return this.attempt(() =>
      this.analysis.add('analyse', job, { jobId: `analysis.${job.companyId}.${job.runKey}` }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(
      [this.batches.close(), this.analysis.close()].map((closing) => closing.catch(() => undefined)),
    );
    this.connection.disconnect();
  }

  private async attempt(add: () => Promise<unknown>): Promise<boolean> {
    if (this.connection.status !== 'ready') return false;
    try {
      await add();
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'a job was not queued');
      return false;
    }
  }
}
