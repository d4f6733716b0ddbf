import { startSharedService, startSharedServices } from '@outcomes/testing';
import { SECRETS_KEY } from './deliveries/connected-tool';
import { startIngestApi } from './ingest-api-process';

/** Two suites may each send the largest body that there is, at the same time. */
const MAX_HELD_BODY_BYTES = String(64 * 1_024 * 1_024);

export default async (): Promise<void> => {
  const environment = { SOURCE_SECRETS_KEY: SECRETS_KEY, MAX_HELD_BODY_BYTES };
  await startSharedServices('ingest-api', startIngestApi, environment);
  // For those who keep a body to themselves.
  await startSharedService('ingest-api', 'impatient', startIngestApi, { BODY_TIMEOUT_MS: '200' });
};
