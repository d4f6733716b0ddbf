import { Module } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';
import { EventDeletion } from './deletion/event-deletion.service';
import { Reanalyses } from './deletion/reanalyses.service';
import { ReanalysisRequestRepository } from './deletion/reanalysis-request.repository';
import { RecipientRowsRepository } from './deletion/recipient-rows.repository';
import { FrozenDecisionRepository } from './deletion/frozen-decision.repository';
import { ReanalysisRequests } from './deletion/reanalysis-requests.service';
import { ErasureLedgerRepository } from './erasures/erasure-ledger.repository';
import { IngestionService } from './ingestion.service';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import { AnalysisPlanRepository } from './plans/analysis-plan.repository';
import { AnalysisPlans } from './plans/analysis-plans.service';
import { AnalysisRequests } from './plans/analysis-requests.service';
import { BatchProcessing } from './processing/batch-processing.service';
import { IngestBatchRepository } from './processing/ingest-batch.repository';
import { Retention } from './processing/retention.service';
import { TouchRebuildRepository } from './rebuilding/touch-rebuild.repository';
import { TouchRebuild } from './rebuilding/touch-rebuild.service';
import { HeldDeliveryRepository } from './sources/held-delivery.repository';
import { IngestStatusRepository } from './status/ingest-status.repository';
import { IngestStatuses } from './status/ingest-status.service';
import { BatchNudges } from './storage/batch-nudges.service';
import { ExpiredEvents } from './storage/expired-events.service';
import { EventStore } from './storage/event-store.service';
import { EventWriter } from './storage/event-writer.service';
import { OutcomeEventRepository } from './storage/outcome-event.repository';
import { SuppressionRepository } from './suppressions/suppression.repository';
import { SuppressionListRepository } from './suppressions/suppression-list.repository';
import { SuppressionList } from './suppressions/suppression-list.service';
import { Suppressions } from './suppressions/suppressions.service';
import { CountRepository } from './touches/count.repository';
import { EventPlacement } from './touches/event-placement.service';
import { StoredEventRepository } from './touches/stored-event.repository';
import { TouchFolding } from './touches/touch-folding.service';
import { TouchGathering } from './touches/touch-gathering.service';
import { TouchRepository } from './touches/touch.repository';

/** Outcome events: taking, working in, deleting, expiring. It needs PlatformModule and PersistenceModule. */
@Module({
  providers: [
    QueueProducer,
    IngestionMetrics,
    OutcomeEventRepository,
    StoredEventRepository,
    EventPlacement,
    TouchRepository,
    CountRepository,
    IngestBatchRepository,
    TouchGathering,
    AnalysisPlanRepository,
    AnalysisPlans,
    AnalysisRequests,
    IngestStatusRepository,
    IngestStatuses,
    TouchFolding,
    SuppressionRepository,
    Suppressions,
    SuppressionListRepository,
    SuppressionList,
    BatchNudges,
    ExpiredEvents,
    EventStore,
    EventWriter,
    ReanalysisRequestRepository,
    RecipientRowsRepository,
    ReanalysisRequests,
    FrozenDecisionRepository,
    Reanalyses,
    ErasureLedgerRepository,
    HeldDeliveryRepository,
    EventDeletion,
    IngestionService,
    BatchProcessing,
    Retention,
    TouchRebuildRepository,
    TouchRebuild,
  ],
  exports: [
    EventStore,
    EventWriter,
    IngestionService,
    IngestionMetrics,
    IngestStatuses,
    AnalysisPlans,
    AnalysisRequests,
    BatchProcessing,
    Reanalyses,
    Retention,
    TouchRebuild,
  ],
})
export class IngestionModule {}
