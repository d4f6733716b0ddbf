import { Module } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';
import { EventDeletion } from './deletion/event-deletion.service';
import { ReanalysisRequests } from './deletion/reanalysis-requests.service';
import { IngestionService } from './ingestion.service';
import { BatchProcessing } from './processing/batch-processing.service';
import { IngestBatchRepository } from './processing/ingest-batch.repository';
import { Retention } from './processing/retention.service';
import { EventStore } from './storage/event-store.service';
import { EventWriter } from './storage/event-writer.service';
import { OutcomeEventRepository } from './storage/outcome-event.repository';
import { CohortCountRepository } from './touches/cohort-count.repository';
import { StoredEventRepository } from './touches/stored-event.repository';
import { TouchFolding } from './touches/touch-folding.service';
import { TouchRepository } from './touches/touch.repository';

/** Outcome events: taking, working in, deleting, expiring. It needs PlatformModule and PersistenceModule. */
@Module({
  providers: [
    QueueProducer,
    OutcomeEventRepository,
    StoredEventRepository,
    TouchRepository,
    CohortCountRepository,
    IngestBatchRepository,
    TouchFolding,
    EventStore,
    EventWriter,
    ReanalysisRequests,
    EventDeletion,
    IngestionService,
    BatchProcessing,
    Retention,
  ],
  exports: [IngestionService, BatchProcessing, Retention],
})
export class IngestionModule {}
