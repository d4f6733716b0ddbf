import 'reflect-metadata';
import { limitUnknownRoutes, serveDirectly } from '@outcomes/limits';
import { serveDescription } from '@outcomes/openapi';
import { startService } from '@outcomes/platform/service';
import { EnvelopeWriter } from './envelope/envelope-writer.service';
import { BASE_PATH, describeReadApi } from './openapi';
import { PatternsController } from './patterns/patterns.controller';
import { readApiConfig } from './read-api.config';
import { ReadApiModule, SERVICE_NAME } from './read-api.module';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  return startService(
    SERVICE_NAME,
    readApiConfig(),
    (platform) => ReadApiModule.register(platform),
    (app, http) => {
      http.writer = app.get(EnvelopeWriter).write;
      serveDirectly(app, http, [PatternsController], BASE_PATH);
      limitUnknownRoutes(app);
      serveDescription(app, BASE_PATH, describeReadApi);
    },
  );
}
