import 'reflect-metadata';
import { countUnmatchedRoutes } from '@outcomes/limits';
import { serveDescription } from '@outcomes/openapi';
import { startService } from '@outcomes/platform';
import { storedDocuments } from './documents/stored-documents.route';
import { BASE_PATH, describeReadApi } from './openapi';
import { readApiConfig } from './read-api.config';
import { ReadApiModule, SERVICE_NAME } from './read-api.module';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  return startService(
    SERVICE_NAME,
    readApiConfig(),
    (platform) => ReadApiModule.register(platform),
    (app, { serveFast }) => {
      serveFast(storedDocuments(app, BASE_PATH));
      countUnmatchedRoutes(app, 'read');
      serveDescription(app, BASE_PATH, describeReadApi(app));
    },
  );
}
