import 'reflect-metadata';
import { countUnmatchedRoutes, serveDirectly } from '@outcomes/limits';
import { serveDescription } from '@outcomes/openapi';
import { startService } from '@outcomes/platform';
import { EventsController } from './events/events.controller';
import { ingestApiConfig } from './ingest-api.config';
import { IngestApiModule, SERVICE_NAME } from './ingest-api.module';
import { describeIngestApi } from './openapi';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  return startService(
    SERVICE_NAME,
    ingestApiConfig(),
    (platform) => IngestApiModule.register(platform),
    (app, http) => {
      serveDirectly(app, http, [EventsController]);
      countUnmatchedRoutes(app);
      serveDescription(app, '', describeIngestApi(app));
    },
  );
}
