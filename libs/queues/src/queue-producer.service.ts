import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DAY_MS } from '@outcomes/contracts';
import { LOGGER, redisAddress, SERVICE_CONFIG, type Logger, type ServiceConfig } from '@outcomes/platform';
import { Queue, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { producerConnection } from './queue-connection';
import { queueTelemetry } from './queue-telemetry';
import { ATTEMPTS, DAILY_SCHEDULE, JOBS, QUEUES, type AnalysisJob, type BatchesJob } from './queue-names';

/** Of the jobs of the daily run; those without a priority go first. */
const DAILY_PRIORITY = 10;

/** What the workers are at in the queue of analyses. */
export interface AnalysesUnderWay {
  /** Those that a worker has in hand; progress in per cent. */
  readonly running: readonly (AnalysisJob & { readonly progress: number })[];
  /** How many wait for a worker. */
  readonly waiting: number;
}

/** Adds jobs. Redis is allowed to be away: the worker finds its work in Postgres in any case. */
@Injectable()
export class QueueProducer implements OnApplicationShutdown {
  private readonly connection: Redis;
  private readonly batches: Queue<BatchesJob>;
  private readonly analysis: Queue<AnalysisJob | Partial<Pick<AnalysisJob, 'runKey'>>>;

  constructor(
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const onError = (error: Error) => logger.debug({ err: error }, 'queue connection');
    this.connection = producerConnection(redisAddress(config), onError);
    const options = {
      connection: this.connection,
      prefix: config.REDIS_PREFIX,
      telemetry: queueTelemetry(config),
      defaultJobOptions: {
        removeOnComplete: true,
        removeOnFail: { age: 7 * 86_400, count: 1_000 },
        attempts: ATTEMPTS,
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
      this.batches.add(
        JOBS.batches.process,
        { companyId },
        { deduplication: { id: `batches.${companyId}` } },
      ),
    );
  }

  /** Asks for an analysis that somebody waits for. The same run key while one waits or runs is one job. */
  async requestAnalysis({ companyId, runKey }: AnalysisJob): Promise<boolean> {
    const options = { jobId: jobIdOf(companyId, runKey) };
    return this.attempt(() => this.analysis.add(JOBS.analysis.analyse, { companyId, runKey }, options));
  }

  /** @returns what workers analyse now and how much waits behind it; undefined where Redis does not say */
  async analysesUnderWay(): Promise<AnalysesUnderWay | undefined> {
    let found: AnalysesUnderWay | undefined;
    await this.attempt(async () => {
      const active: Job<Partial<AnalysisJob>>[] = await this.analysis.getActive();
      // Redis believes in a job of a dead worker for a while; its lock goes after 30 seconds.
      const held = await Promise.all(
        active.map(({ id = '' }) => this.connection.exists(this.analysis.toKey(`${id}:lock`))),
      );
      const running = active.filter((_, place) => held[place] === 1);
      found = {
        running: running.map(({ data: { companyId = '', runKey = '' }, progress }) => ({
          companyId,
          runKey,
          progress: typeof progress === 'number' ? progress : 0,
        })),
        waiting: await this.analysis.getJobCountByTypes('waiting', 'prioritized'),
      };
    });
    return found;
  }

  /** Asks for analyses of many companies in one round trip, behind all that somebody waits for. */
  async requestAnalyses(companyIds: readonly string[], runKey: string): Promise<boolean> {
    return this.attempt(() =>
      this.analysis.addBulk(
        companyIds.map((companyId) => ({
          name: JOBS.analysis.analyse,
          data: { companyId, runKey },
          opts: { jobId: jobIdOf(companyId, runKey), priority: DAILY_PRIORITY },
        })),
      ),
    );
  }

  /**
   * Sees to it that Redis holds the daily schedule. Harmless to repeat, and to be repeated: a Redis that lost its
   * data has lost the schedule as well.
   * @param pattern - cron expression of once a day, in UTC
   * @returns when the schedule was last due, where it had to be put there (that run may have been lost) or to be changed
   * so that a day would go without a run; undefined where it stood already or Redis is away
   */
  async ensureDailySchedule(pattern: string): Promise<Date | undefined> {
    let lastDue: Date | undefined;
    await this.attempt(async () => {
      const known = await this.analysis.getJobScheduler(DAILY_SCHEDULE);
      if (known?.pattern === pattern) return;
      const template = { name: JOBS.analysis.analyseAll, data: {} };
      await this.analysis.upsertJobScheduler(DAILY_SCHEDULE, { pattern, tz: 'UTC' }, template);
      const next = (await this.analysis.getJobScheduler(DAILY_SCHEDULE))?.next;
      if (next === undefined) return;
      const isLeftOut = known?.next === undefined || dayOf(next) > dayOf(known.next);
      if (isLeftOut) lastDue = new Date(next - DAY_MS);
    });
    return lastDue;
  }

  /** @returns when the daily run is due next; undefined where Redis is away or does not know it */
  async nextDailyRun(): Promise<Date | undefined> {
    let next: number | undefined;
    await this.attempt(async () => {
      next = (await this.analysis.getJobScheduler(DAILY_SCHEDULE))?.next;
    });
    return next === undefined ? undefined : new Date(next);
  }

  /** Asks for the daily run of all companies at once, beside the schedule. */
  async requestDailyRun(runKey: string): Promise<boolean> {
    return this.attempt(() =>
      this.analysis.add(JOBS.analysis.analyseAll, { runKey }, { jobId: `analyse-all.${runKey}` }),
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

/** In UTC. */
const dayOf = (millis: number) => Math.floor(millis / DAY_MS);

/** The same run key while one waits or runs is one job. */
function jobIdOf(companyId: string, runKey: string): string {
  return `analysis.${companyId}.${runKey}`;
}
