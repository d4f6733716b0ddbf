import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { AnalysisModule } from '@outcomes/analysis';
import { AuditSealingModule } from '@outcomes/audit';
import { AnnouncementsModule } from '@outcomes/deprecation';
import { IngestionModule } from '@outcomes/ingestion';
import { PersistenceModule } from '@outcomes/persistence';
import {
  LOGGER,
  redisAddress,
  SERVICE_CONFIG,
  type Logger,
  type Redis,
  type ServiceConfig,
} from '@outcomes/platform';
import { QueueProducer, queueTelemetry, workerConnection } from '@outcomes/queues';
import { WebhooksModule } from '@outcomes/webhooks';
import { AbandonableWorker } from './abandonable.worker';
import { AnalysisProcessor } from './analysis.processor';
import {
  llmSettings,
  smtpSettings,
  WORKER_CONFIG,
  type AnalysisWorkerConfig,
} from './analysis-worker.config';
import { Announcements } from './announcements.schedule';
import { AuditSeals } from './audit-seals.schedule';
import { BatchesProcessor } from './batches.processor';
import { CompanyWork } from './company-work.processor';
import { PendingSweep } from './pending.sweep';
import { PlannedAnalyses } from './planned-analyses.sweep';
import { ReanalysisSweep } from './reanalysis.sweep';
import { RebuildSweep } from './rebuild.sweep';
import { WebhookSweep } from './webhook.sweep';
import { WorkerMetrics } from './worker-metrics.service';
import { QUEUE_REDIS, Workers } from './workers.processor';

// The library's own way to have another kind of worker made for each processor.
BullModule.workerClass = AbandonableWorker;

@Module({
  providers: [
    {
      provide: QUEUE_REDIS,
      inject: [SERVICE_CONFIG, LOGGER],
      useFactory: (config: ServiceConfig, logger: Logger) =>
        workerConnection(redisAddress(config), (error) => logger.debug({ err: error }, 'queue redis')),
    },
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
        QueueRedisModule,
        PersistenceModule.register('analysis-worker'),
        BullModule.forRootAsync({
          imports: [QueueRedisModule],
          inject: [QUEUE_REDIS, SERVICE_CONFIG],
          useFactory: (connection: Redis, config: ServiceConfig) => ({
            connection,
            prefix: config.REDIS_PREFIX,
            telemetry: queueTelemetry(config),
          }),
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueue(),
        AnalysisModule.register(llmSettings(config)),
        AuditSealingModule,
        IngestionModule,
        AnnouncementsModule.register(smtpSettings(config)),
        WebhooksModule.register({ secretKeys: config.SOURCE_SECRETS_KEY, smtp: smtpSettings(config) }),
      ],
      providers: [
        { provide: WORKER_CONFIG, useValue: config },
        QueueProducer,
        WorkerMetrics,
        CompanyWork,
        BatchesProcessor,
        AnalysisProcessor,
        PendingSweep,
        ReanalysisSweep,
        RebuildSweep,
        PlannedAnalyses,
        AuditSeals,
        Announcements,
        WebhookSweep,
        Workers,
      ],
    };
  }
}
