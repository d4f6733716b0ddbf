import 'reflect-metadata';
import { previewDescription } from '@outcomes/openapi';
import { describeIngestApi } from './ingest-api.document';
import { ingestApiConfig } from '../ingest-api.config';
import { IngestApiModule, SERVICE_NAME } from '../ingest-api.module';

/** The description as text. */
export const describedIngestApi = (): Promise<string> =>
  previewDescription({
    name: SERVICE_NAME,
    config: ingestApiConfig,
    module: (platform) => IngestApiModule.register(platform, ''),
    describe: describeIngestApi,
  });
