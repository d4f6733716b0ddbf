import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IngestionModule } from '@outcomes/ingestion';
import { PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  serviceConfigSchema,
  systemClock,
} from '@outcomes/platform';
import { testRedisPrefix, testRedisUrl } from '@outcomes/testing';

/** Ingestion as its own service has it, with a Redis prefix that the worker does not listen to. */
export async function openIngestion(databaseUrl: string): Promise<INestApplicationContext> {
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
  };
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse(environment);
  const platform = PlatformModule.register({
    clock: systemClock,
    config,
    logger: createLogger('test', 'silent'),
    management: new Management('test'),
  });
  class IngestionContext {}
  return NestFactory.createApplicationContext(
    { module: IngestionContext, imports: [platform, PersistenceModule.register('test'), IngestionModule] },
    { logger: false },
  );
}
