import { BullModule } from '@nestjs/bullmq';
import { Inject, Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { AnalysisModule } from '@outcomes/analysis';
import { IngestionModule } from '@outcomes/ingestion';
import { PersistenceModule } from '@outcomes/persistence';
import { LOGGER, SERVICE_CONFIG, type Logger, type Redis, type ServiceConfig } from '@outcomes/platform';
import { QueueProducer, workerConnection } from '@outcomes/queues';
import { AnalysisProcessor } from './analysis.processor';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';
import { BatchesProcessor } from './batches.processor';
import { CompanyWork } from './company-work.service';
import { PendingSweep } from './pending-sweep.processor';
import { WorkerMetrics } from './worker-metrics.service';
import { Workers } from './workers.processor';

const QUEUE_REDIS = Symbol('QueueRedis');

/** BullMQ never closes a connection that it was given. */
@Injectable()
class QueueRedisCloser implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

@Module({
  providers: [
    {
      provide: QUEUE_REDIS,
      inject: [SERVICE_CONFIG, LOGGER],
      useFactory: (config: ServiceConfig, logger: Logger) =>
        workerConnection(config.REDIS_URL, (error) => logger.debug({ err: error }, 'queue redis')),
    },
    QueueRedisCloser,
  ],
  exports: [QUEUE_REDIS],
})
class QueueRedisModule {}

/** The process that turns what was ingested into what is served. */
@Module({})
export class AnalysisWorkerModule {
  static register(platform: DynamicModule, config: AnalysisWorkerConfig): DynamicModule {
    return {
      module: AnalysisWorkerModule,
      imports: [
        platform,
        PersistenceModule.register('analysis-worker'),
        BullModule.forRootAsync({
          imports: [QueueRedisModule],
          inject: [QUEUE_REDIS, SERVICE_CONFIG],
          useFactory: (connection: Redis, { REDIS_PREFIX }: ServiceConfig) => ({
            connection,
            prefix: REDIS_PREFIX,
          }),
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueue(),
        AnalysisModule,
        IngestionModule,
      ],
      providers: [
        { provide: WORKER_CONFIG, useValue: config },
        QueueProducer,
        WorkerMetrics,
        CompanyWork,
        BatchesProcessor,
        AnalysisProcessor,
        PendingSweep,
        Workers,
      ],
    };
  }
}
