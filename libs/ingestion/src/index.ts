export * from './ingestion.module';
export { IngestionService, type IngestOptions } from './ingestion.service';
export type { IngestAnswer } from './ingest-answer';
export type { EventDeleted, RecipientDeleted } from './deletion/event-deletion.service';
export { createErasureReplay } from './erasures/create-erasure-replay';
export { subjectSha256, type Erasure, type ErasedSubject } from './erasures/erasure-ledger.repository';
export type { ErasureReplay, Replayed } from './erasures/erasure-replay.service';
export { IngestionMetrics, type Backpressure, type RequestKind } from './metrics/ingestion-metrics.service';
export { AnalysisRequests, type AnalysisRequested } from './plans/analysis-requests.service';
export {
  ANALYSIS_REASONS,
  ANALYSIS_STATES,
  IngestStatuses,
  type IngestStatus,
} from './status/ingest-status.service';
export { AnalysisPlans } from './plans/analysis-plans.service';
export { Reanalyses } from './deletion/reanalyses.service';
export type { OverdueAnalysis } from './deletion/reanalysis-request.repository';
export { BatchAdministration } from './processing/batch-administration.service';
export { BatchProcessing, type ProcessedBatches } from './processing/batch-processing.service';
export {
  IngestBatchRepository,
  type Backlog,
  type UnprocessedBatch,
} from './processing/ingest-batch.repository';
export { Retention } from './processing/retention.service';
export { TouchRebuild } from './rebuilding/touch-rebuild.service';
export { RETENTION_MONTHS } from './storage/retention-cutoff';
export { hashOfAddress } from './identity/event-record';
export { MAX_EVENTS } from './validation/parse-events';
export { isProven } from './sources/delivery-proof';
export { Deliveries, type DeliveryAnswer, type ReplayedDeliveries } from './sources/deliveries.service';
export { MAX_HELD } from './sources/source';
export type { Source } from './sources/source';
export { SourceAdministration, type CreatedSource, type NewSource } from './sources/source-administration';
export { SourceDirectory } from './sources/source-directory.service';
export { SourceOverviews, type SourceOverview } from './sources/source-overview.service';
export { SourceRepository } from './sources/source.repository';
export { SourcesModule } from './sources/sources.module';
export type { FaultCode, FieldFault } from './validation/field-fault';
export { OUTCOME_EVENT_SCHEMA, type OutcomeEvent } from './validation/outcome-event';
