import 'reflect-metadata';
import { countUnmatchedRoutes } from '@outcomes/limits';
import { serveDescription } from '@outcomes/openapi';
import { startService } from '@outcomes/platform';
import { postedEvents } from './events/posted-events.route';
import { ingestApiConfig } from './ingest-api.config';
import { IngestApiModule, SERVICE_NAME } from './ingest-api.module';
import { describeIngestApi } from './openapi';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  return startService(
    SERVICE_NAME,
    ingestApiConfig(),
    (platform) => IngestApiModule.register(platform),
    (app, { serveFast }) => {
      serveFast([postedEvents(app)]);
      countUnmatchedRoutes(app, 'ingest');
      serveDescription(app, '', describeIngestApi(app));
    },
  );
}
