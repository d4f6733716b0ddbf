import { Test, type TestingModule } from '@nestjs/testing';
import { PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, serviceConfigSchema } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { testRedisPrefix, testRedisUrl } from '@outcomes/testing';
import { SourcesModule } from '../src';
import type { IngestionFixture } from './ingestion-fixture';

/** What seals secrets and held records. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** One running copy of what takes deliveries, with its own pool. @param key - empty for one that can seal nothing */
export async function startSourcePod(
  { database, clock, queue }: IngestionFixture,
  key = SECRETS_KEY,
): Promise<TestingModule> {
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
    DATABASE_URL: await database.loginAs('outcomes_ingest'),
    ...{ REDIS_URL: testRedisUrl(), REDIS_PREFIX: testRedisPrefix(), LOG_LEVEL: 'silent' },
  });
  const platform = PlatformModule.register({
    ...{ clock, config },
    logger: createLogger('sources-test', 'silent'),
    management: new Management('sources-test'),
  });
  const pod = await Test.createTestingModule({
    imports: [platform, PersistenceModule.register('sources-test'), SourcesModule.register(key)],
  })
    .overrideProvider(QueueProducer)
    .useValue(queue)
    .compile();
  return pod.init();
}
