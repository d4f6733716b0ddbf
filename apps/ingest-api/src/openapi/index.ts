export { DeleteEvent, DeleteRecipient } from './deletions.decorator';
export { PostDelivery, PostDeliveryWithToken } from './delivery-operations.decorator';
export { describeIngestApi } from './ingest-api.document';
export { PostCsv, PostEvents } from './operations.decorator';
export { GetSources, PostReplays } from './source-operations.decorator';
export { GetStatus, PostAnalysis } from './status-operations.decorator';
