import { Module } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';
import { EventDeletion } from './deletion/event-deletion.service';
import { Reanalyses } from './deletion/reanalyses.service';
import { ReanalysisRequestRepository } from './deletion/reanalysis-request.repository';
import { FrozenDecisionRepository } from './deletion/frozen-decision.repository';
import { ReanalysisRequests } from './deletion/reanalysis-requests.service';
import { IngestionService } from './ingestion.service';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import { BatchProcessing } from './processing/batch-processing.service';
import { IngestBatchRepository } from './processing/ingest-batch.repository';
import { Retention } from './processing/retention.service';
import { BatchNudges } from './storage/batch-nudges.service';
import { EventStore } from './storage/event-store.service';
import { EventWriter } from './storage/event-writer.service';
import { OutcomeEventRepository } from './storage/outcome-event.repository';
import { SuppressionRepository } from './suppressions/suppression.repository';
import { Suppressions } from './suppressions/suppressions.service';
import { CohortCountRepository } from './touches/cohort-count.repository';
import { StoredEventRepository } from './touches/stored-event.repository';
import { TouchFolding } from './touches/touch-folding.service';
import { TouchRepository } from './touches/touch.repository';

/** Outcome events: taking, working in, deleting, expiring. It needs PlatformModule and PersistenceModule. */
@Module({
  providers: [
    QueueProducer,
    IngestionMetrics,
    OutcomeEventRepository,
    StoredEventRepository,
    TouchRepository,
    CohortCountRepository,
    IngestBatchRepository,
    TouchFolding,
    SuppressionRepository,
    Suppressions,
    BatchNudges,
    EventStore,
    EventWriter,
    ReanalysisRequestRepository,
    ReanalysisRequests,
    FrozenDecisionRepository,
    Reanalyses,
    EventDeletion,
    IngestionService,
    BatchProcessing,
    Retention,
  ],
  exports: [IngestionService, IngestionMetrics, BatchProcessing, Reanalyses, Retention],
})
export class IngestionModule {}
