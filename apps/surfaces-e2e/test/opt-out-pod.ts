import { Test, type TestingModule } from '@nestjs/testing';
import { PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  serviceConfigSchema,
  type Clock,
} from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { testRedisPrefix, testRedisUrl, type TestDatabase } from '@outcomes/testing';

export type Imports = NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>;

const QUEUE = { nudgeBatches: () => Promise.resolve(true), requestAnalysis: () => Promise.resolve(true) };

/** Some modules with a pool of their own, under the role of the service that has them. Nothing goes to Redis. */
export async function startPod(
  database: TestDatabase,
  clock: Clock,
  role: string,
  imports: Imports,
): Promise<TestingModule> {
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
    DATABASE_URL: await database.loginAs(role),
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
    LOG_LEVEL: 'silent',
  });
  const logger = createLogger('opt-outs', config.LOG_LEVEL);
  const module = await Test.createTestingModule({
    imports: [
      PlatformModule.register({ clock, config, logger, management: new Management('opt-outs') }),
      PersistenceModule.register('opt-outs'),
      ...imports,
    ],
  })
    .overrideProvider(QueueProducer)
    .useValue(QUEUE)
    .compile();
  await module.init();
  return module;
}
