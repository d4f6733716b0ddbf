import type { DynamicModule, Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  REDIS,
  Redis,
  serviceConfigSchema,
  type ServiceConfig,
} from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import {
  createTestDatabase,
  RunningClock,
  testRedisPrefix,
  testRedisUrl,
  waitUntil,
  type TestDatabase,
} from '@outcomes/testing';
import { Authenticator, AuthModule, KeyAdministration, KeyAdministrationModule } from '../src';
import { KeyEvents } from '../src/keys/key-events.service';

export interface AuthFixture {
  readonly database: TestDatabase;
  readonly redis: Redis;
  readonly prefix: string;
  readonly clock: RunningClock;
  readonly administration: KeyAdministration;
  /** The database as administrators see it. */
  readonly administrators: TenantDatabase;
  /** One more pod: its own caches, connections and database login. */
  pod(overrides?: Partial<Record<keyof ServiceConfig, string>>, ...others: DynamicModule[]): Promise<AuthPod>;
  stop(): Promise<void>;
}

export interface AuthPod {
  readonly module: TestingModule;
  readonly authenticator: Authenticator;
}

/** A database of its own with one administrator, and as many pods as a test wants. */
export async function authFixture(): Promise<AuthFixture> {
  const database = await createTestDatabase();
  const prefix = testRedisPrefix();
  const clock = new RunningClock();
  const readerUrl = await database.loginAs('outcomes_reader');
  const adminUrl = await database.loginAs('outcomes_admin');
  const redis = new Redis(testRedisUrl());
  const modules: TestingModule[] = [];
  const start = async (
    url: string,
    roots: (Type | DynamicModule)[],
    overrides: Partial<Record<keyof ServiceConfig, string>> = {},
  ) => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: url,
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: prefix,
      LOG_LEVEL: 'silent',
      ...overrides,
    });
    const logger = createLogger('auth-test', config.LOG_LEVEL);
    const management = new Management('auth-test');
    const module = await Test.createTestingModule({
      imports: [
        PlatformModule.register({ clock, config, logger, management }),
        PersistenceModule.register('auth-test'),
        ...roots,
      ],
    }).compile();
    modules.push(module);
    await module.init();
    return module;
  };
  const administrator = await start(adminUrl, [KeyAdministrationModule]);
  await redisReady(administrator);
  return {
    database,
    redis,
    prefix,
    clock,
    administration: administrator.get(KeyAdministration),
    administrators: administrator.get(TenantDatabase, { strict: false }),
    async pod(overrides, ...others) {
      const module = await start(readerUrl, [AuthModule, ...others], overrides);
      if (overrides?.REDIS_URL === undefined) {
        await redisReady(module);
        await subscribed(module, redis);
      }
      return { module, authenticator: module.get(Authenticator) };
    },
    async stop() {
      await Promise.all(modules.map((module) => module.close()));
      const keys = await redis.keys(`${prefix.replaceAll(/[{}]/g, '*')}*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
      await database.drop();
    },
  };
}

async function redisReady(module: TestingModule): Promise<void> {
  const redis = module.get<Redis>(REDIS);
  await waitUntil('Redis to be connected', () => redis.status === 'ready');
}

/** A pod that is not subscribed yet would miss the first messages of a test. */
export async function subscribed(module: TestingModule, redis: Redis): Promise<void> {
  const events = module.get(KeyEvents);
  let heard = false;
  events.on('changed', (message) => {
    heard ||= message === 'hello';
  });
  await waitUntil('the pod to be subscribed', async () => {
    await redis.publish(events.channel('changed'), 'hello');
    return heard;
  });
}

/** What a promise was refused with: code, status, fields and headers of its AppError. */
export async function refusalOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (typeof error !== 'object' || error === null || !('code' in error)) return { code: 'NONE', status: 200 };
  const { code, status, fields, headers } = error as {
    code: string;
    status: number;
    fields: Record<string, unknown>;
    headers: Record<string, string>;
  };
  return { code, status, ...fields, headers };
}
