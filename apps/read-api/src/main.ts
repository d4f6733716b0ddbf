import 'reflect-metadata';
import { countUnmatchedRoutes } from '@outcomes/limits';
import { runMain, startService } from '@outcomes/platform';
import { readApiConfig } from './read-api.config';
import { ReadApiModule, SERVICE_NAME } from './read-api.module';

runMain(SERVICE_NAME, () =>
  startService(
    SERVICE_NAME,
    readApiConfig(),
    (platform) => ReadApiModule.register(platform),
    (app) => countUnmatchedRoutes(app, 'read'),
  ),
);
