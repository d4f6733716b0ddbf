import { startSharedServices } from '@outcomes/testing';
import { startIngestApi } from './ingest-api-process';

export default (): Promise<void> => startSharedServices('ingest-api', startIngestApi);
