import { setTimeout as delay } from 'node:timers/promises';
import { BullRegistrar } from '@nestjs/bullmq';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { LOGGER, Management, REDIS, type Logger, type Redis } from '@outcomes/platform';
import { JOBS } from '@outcomes/queues';
import { AnalysisProcessor } from './analysis.processor';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';
import { Announcements } from './announcements.schedule';
import { AuditSeals } from './audit-seals.schedule';
import { BatchesProcessor } from './batches.processor';
import { CompanyWork } from './company-work.processor';
import { PendingSweep } from './pending.sweep';
import { RebuildSweep } from './rebuild.sweep';
import { WebhookSweep } from './webhook.sweep';

/** Connection of the queue workers; BullMQ never closes one that it was given. */
export const QUEUE_REDIS = Symbol('QueueRedis');

/** What is under way may take this long once the process was told to stop; then it is left to another worker. */
const STOP_TIMEOUT_MS = 8_000;

/** Starts the queue workers when everything else stands, and stops them before anything else goes. */
@Injectable()
export class Workers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(BullRegistrar) private readonly registrar: BullRegistrar,
    @Inject(BatchesProcessor) private readonly batches: BatchesProcessor,
    @Inject(AnalysisProcessor) private readonly analysis: AnalysisProcessor,
    @Inject(PendingSweep) private readonly sweep: PendingSweep,
    @Inject(RebuildSweep) private readonly rebuilds: RebuildSweep,
    @Inject(AuditSeals) private readonly seals: AuditSeals,
    @Inject(Announcements) private readonly announcements: Announcements,
    @Inject(WebhookSweep) private readonly webhooks: WebhookSweep,
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(QUEUE_REDIS) private readonly queueRedis: Redis,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) management: Management,
    @Inject(REDIS) redis: Redis,
  ) {
    management.addReadinessCheck('redis', async () => (await redis.ping()) === 'PONG');
  }

  onApplicationBootstrap(): void {
    const faults = handlerFaults([this.batches, this.analysis]);
    if (faults.length > 0) {
      this.logger.fatal({ faults }, 'a job has no handler, or more than one');
      throw new AppError('INTERNAL_ERROR');
    }
    this.registrar.register();
    this.batches.worker.concurrency = this.config.BATCH_CONCURRENCY;
    this.analysis.worker.concurrency = this.config.ANALYSIS_CONCURRENCY;
    this.sweep.start();
    this.rebuilds.start();
    this.seals.start();
    this.announcements.start();
    this.webhooks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const workers = [this.batches.worker, this.analysis.worker];
    const closed = Promise.all([
      this.sweep.stop(),
      this.rebuilds.stop(),
      this.seals.stop(),
      this.announcements.stop(),
      this.webhooks.stop(),
      ...workers.map((worker) => worker.close()),
    ]);
    // While Redis is away the workers cannot report what they finish, so the work itself is waited for.
    const finished = Promise.race([closed, away(this.queueRedis).then(() => this.work.finished())]);
    const timeout = new AbortController();
    const late = delay(STOP_TIMEOUT_MS, 'late', { signal: timeout.signal }).catch(() => 'in time');
    // Batches and runs are transactions: what is cut off is done again by whoever comes next.
    if ((await Promise.race([finished, late])) === 'late') this.logger.warn('stopped with work under way');
    timeout.abort();
    for (const worker of workers) worker.abandon();
    this.queueRedis.disconnect();
  }
}

/** Resolves once a connection is lost; at once where it is. */
async function away(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await new Promise((resolve) => redis.once('close', resolve));
}

/** Jobs without a handler or with several, as `queue.job`. */
export function handlerFaults(
  processors: readonly { readonly queue: keyof typeof JOBS; readonly jobNames: readonly string[] }[],
): string[] {
  const handled = processors.flatMap(({ queue, jobNames }) => jobNames.map((name) => `${queue}.${name}`));
  const declared = Object.entries(JOBS).flatMap(([queue, names]) =>
    Object.values<string>(names).map((name) => `${queue}.${name}`),
  );
  return [
    ...declared.filter((job) => handled.filter((candidate) => candidate === job).length !== 1),
    ...handled.filter((job) => !declared.includes(job)),
  ];
}
