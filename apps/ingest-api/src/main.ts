import 'reflect-metadata';
import { countUnmatchedRoutes } from '@outcomes/limits';
import { runMain, startService } from '@outcomes/platform';
import { ingestApiConfig } from './ingest-api.config';
import { IngestApiModule, SERVICE_NAME } from './ingest-api.module';

runMain(SERVICE_NAME, () =>
  startService(
    SERVICE_NAME,
    ingestApiConfig(),
    (platform) => IngestApiModule.register(platform),
    (app) => countUnmatchedRoutes(app, 'ingest'),
  ),
);
