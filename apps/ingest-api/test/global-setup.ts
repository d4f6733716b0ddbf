import { startSharedService, startSharedServices } from '@outcomes/testing';
import { SECRETS_KEY } from './deliveries/connected-tool';
import { startIngestApi } from './ingest-api-process';

export default async (): Promise<void> => {
  await Promise.all([
    startSharedServices('ingest-api', startIngestApi, { SOURCE_SECRETS_KEY: SECRETS_KEY }),
    // For those who keep a body to themselves.
    startSharedService('ingest-api', 'impatient', startIngestApi, { BODY_TIMEOUT_MS: '200' }),
  ]);
};
