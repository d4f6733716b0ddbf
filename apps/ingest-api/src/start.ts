import 'reflect-metadata';
import { limitUnknownRoutes, serveDirectly } from '@outcomes/limits';
import { serveDescription } from '@outcomes/openapi';
import { startService } from '@outcomes/platform/service';
import { EventsController } from './events/events.controller';
import { ingestApiConfig } from './ingest-api.config';
import { IngestApiModule, SERVICE_NAME } from './ingest-api.module';
import { describeIngestApi } from './openapi';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = ingestApiConfig();
  return startService(
    SERVICE_NAME,
    config,
    (platform) => IngestApiModule.register(platform, config.SOURCE_SECRETS_KEY),
    (app, http) => {
      serveDirectly(app, http, [EventsController]);
      limitUnknownRoutes(app);
      serveDescription(app, '', describeIngestApi);
    },
  );
}
