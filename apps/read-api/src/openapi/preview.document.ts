import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { printDescription } from '@outcomes/openapi';
import { createLogger, Management, PlatformModule, systemClock } from '@outcomes/platform';
import { describeReadApi } from './read-api.document';
import { readApiConfig } from '../read-api.config';
import { ReadApiModule, SERVICE_NAME } from '../read-api.module';

/** The description as text, from a preview of the app: nothing is connected, nothing listens. */
export async function previewDescription(): Promise<string> {
  const platform = PlatformModule.register({
    clock: systemClock,
    config: readApiConfig({ DATABASE_URL: 'postgres://preview/preview', REDIS_URL: 'redis://preview' }),
    logger: createLogger(SERVICE_NAME, 'fatal'),
    management: new Management(SERVICE_NAME),
  });
  const app = await NestFactory.create(ReadApiModule.register(platform), { preview: true, logger: false });
  return printDescription(describeReadApi(app));
}
